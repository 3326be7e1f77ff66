/** cordon serve, token and config. */
@NullMarked
package dev.cordon.cli.command.service;

import org.jspecify.annotations.NullMarked;
