/** The service: the library over HTTP. Starts from the command line; programs embed dev.cordon.core instead. */
@SuppressWarnings("module") // the command line is not there when this module is compiled
module dev.cordon.server {
    requires static org.jspecify;
    requires dev.cordon.core;
    requires dev.cordon.vm;
    requires ch.qos.logback.classic;
    requires ch.qos.logback.core;
    requires io.javalin;
    requires java.sql;
    requires jdk.net;
    requires kotlin.stdlib;
    requires micrometer.core;
    requires micrometer.registry.prometheus;
    requires org.eclipse.jetty.ee10.servlet;
    requires org.eclipse.jetty.http;
    requires org.eclipse.jetty.io;
    requires org.eclipse.jetty.server;
    requires org.eclipse.jetty.unixdomain.server;
    requires org.eclipse.jetty.util;
    requires org.eclipse.jetty.websocket.api;
    requires org.slf4j;
    requires org.xerial.sqlitejdbc;
    requires tools.jackson.core;
    requires tools.jackson.databind;

    exports dev.cordon.server to
            dev.cordon.cli;
    exports dev.cordon.server.config to
            dev.cordon.cli;
}
