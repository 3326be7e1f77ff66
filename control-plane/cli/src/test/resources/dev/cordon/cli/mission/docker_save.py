"""Writes what `docker save` writes: an image of the host's shell, with /app/agent.sh, a working directory and a command."""
import hashlib
import io
import json
import os
import re
import subprocess
import sys
import tarfile


def add(tar, name, content, mode=0o644):
    member = tarfile.TarInfo(name)
    member.size, member.mode = len(content), mode
    tar.addfile(member, io.BytesIO(content))


shell = os.path.realpath("/bin/sh")
needed = [shell] + re.findall(r"(/\S+) \(", subprocess.run(["ldd", shell], capture_output=True, text=True).stdout)
layer = io.BytesIO()
with tarfile.open(fileobj=layer, mode="w") as tar:
    for path in needed:
        with open(path, "rb") as file:
            add(tar, path.lstrip("/") if path != shell else "bin/sh", file.read(), 0o755)
    add(tar, "usr/share/doc/empty", b"")
    add(tar, "app/agent.sh", b'echo "from the image: $PWD"\n')
config = json.dumps({
    "architecture": "amd64",
    "os": "linux",
    "config": {"Env": ["PATH=/bin"], "WorkingDir": "/app", "User": "agent", "Cmd": ["sh", "agent.sh"]},
    "rootfs": {"type": "layers", "diff_ids": ["sha256:" + hashlib.sha256(layer.getvalue()).hexdigest()]},
}).encode()
name = hashlib.sha256(config).hexdigest() + ".json"
with tarfile.open(sys.argv[1], "w") as tar:
    add(tar, name, config)
    add(tar, "layer.tar", layer.getvalue())
    add(tar, "manifest.json", json.dumps([{"Config": name, "RepoTags": ["saved:latest"], "Layers": ["layer.tar"]}]).encode())
