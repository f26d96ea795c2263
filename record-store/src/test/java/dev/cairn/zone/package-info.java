/** Tables of names, held against the maps of the JDK. */
package dev.cairn.zone;
