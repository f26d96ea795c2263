/** Facts in their packed form, held against the objects they stand for. */
package dev.cairn.facts;
