// The interpreter's driver for Node.js. Two processes, one program:
//
//   keeper  talks to Cordon over its standard input and output, starts the worker, passes on its output, survives it
//   worker  runs the code; its standard streams are pipes that the keeper reads
//
// The frames are those of the driver for Python. Nobody trusts what comes from the worker's side.
'use strict';

const fs = require('fs');
const net = require('net');

const MOST = 16 << 20;
const MOST_TEXT = 256 << 10;

class Broken extends Error {}

function frame(kind, run, fields) {
  const parts = [];
  let length = 5;
  for (const field of fields) {
    const bytes = Buffer.isBuffer(field) ? field : Buffer.from(String(field));
    const prefix = Buffer.alloc(4);
    prefix.writeUInt32BE(bytes.length);
    parts.push(prefix, bytes);
    length += 4 + bytes.length;
  }
  const head = Buffer.alloc(9);
  head.writeUInt32BE(length);
  head.write(kind, 4, 'latin1');
  head.writeUInt32BE(run, 5);
  return Buffer.concat([head, ...parts]);
}

function parse(body) {
  if (body.length < 5) throw new Broken('a frame is too short');
  const fields = [];
  for (let at = 5; at < body.length;) {
    if (body.length - at < 4) throw new Broken('a field is cut off');
    const length = body.readUInt32BE(at);
    at += 4;
    if (length > body.length - at) throw new Broken('a field is longer than its frame');
    fields.push(body.subarray(at, at + length));
    at += length;
  }
  return { kind: String.fromCharCode(body[0]), run: body.readUInt32BE(1), fields };
}

// Frames out of a stream of bytes that comes in pieces.
class Frames {
  constructor() {
    this.pieces = [];
    this.size = 0;
  }

  *feed(data) {
    this.pieces.push(data);
    this.size += data.length;
    for (;;) {
      if (this.size < 4) return;
      if (this.pieces[0].length < 4) this.pieces = [Buffer.concat(this.pieces)];
      const length = this.pieces[0].readUInt32BE();
      if (length > MOST) throw new Broken(`a frame of ${length} bytes is too long`);
      if (this.size < 4 + length) return;
      const all = Buffer.concat(this.pieces);
      this.pieces = [all.subarray(4 + length)];
      this.size = this.pieces[0].length;
      yield parse(all.subarray(4, 4 + length));
    }
  }
}

// Waits while the pipe is full: who reads it sets the pace.
function writeAll(fd, data) {
  for (let at = 0; at < data.length;) {
    try {
      at += fs.writeSync(fd, data, at);
    } catch (e) {
      if (e.code !== 'EAGAIN') throw e;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1);
    }
  }
}

function cut(text, most = MOST_TEXT) {
  const bytes = Buffer.from(text);
  return bytes.length <= most ? [bytes, '0'] : [bytes.subarray(0, most), '1'];
}
