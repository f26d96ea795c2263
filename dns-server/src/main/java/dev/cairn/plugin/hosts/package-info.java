/**
 * The {@code hosts} plugin: answers A, AAAA and PTR from a file like {@code /etc/hosts} and from lines in the Corefile. {@code
 * HostsSetup} reads the directive and {@code HostsPlugin} answers. {@code HostsSource} reads the file through {@code HostsParser}, at
 * start and then on the scheduler's thread whenever the file has changed, and publishes the result as an immutable {@code HostsTable},
 * which query threads look names up in without a lock. {@code GatheredSets} makes the record sets ready to send while a file is read, so
 * that a query costs one hash lookup and a copy.
 */
@NullMarked
package dev.cairn.plugin.hosts;

import org.jspecify.annotations.NullMarked;
