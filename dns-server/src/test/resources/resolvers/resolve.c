// Prints the addresses of a name, one a line; ends with 2 if there is no such name, with 3 on other failures. Built with musl, whose resolver is that of Alpine images.
#include <netdb.h>
#include <stdio.h>

int main(int count, char **words) {
    struct addrinfo hints = {.ai_socktype = SOCK_STREAM}, *found = NULL;
    int error = count == 2 ? getaddrinfo(words[1], NULL, &hints, &found) : EAI_NONAME;
    if (error) {
        fprintf(stderr, "%s\n", gai_strerror(error));
        return error == EAI_NONAME ? 2 : 3;
    }
    for (; found; found = found->ai_next) {
        char text[64];
        getnameinfo(found->ai_addr, found->ai_addrlen, text, sizeof text, NULL, 0, NI_NUMERICHOST);
        puts(text);
    }
    return 0;
}
