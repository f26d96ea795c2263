// Prints the addresses of a name, one a line; ends with 2 if there is no such name, with 3 on other failures. Built without cgo, so that Go's own resolver is used.
package main

import (
	"context"
	"errors"
	"fmt"
	"net"
	"os"
)

func main() {
	resolver := net.Resolver{PreferGo: true}
	addresses, err := resolver.LookupHost(context.Background(), os.Args[1])
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		var failure *net.DNSError
		if errors.As(err, &failure) && failure.IsNotFound {
			os.Exit(2)
		}
		os.Exit(3)
	}
	for _, address := range addresses {
		fmt.Println(address)
	}
}
