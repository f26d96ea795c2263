/** The kernel that runs the tests. */
package dev.cairn.kernel;
