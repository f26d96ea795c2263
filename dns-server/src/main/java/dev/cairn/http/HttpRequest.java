package dev.cairn.http;

import java.util.Locale;

/**
 * What a responder may want to know of a request.
 *
 * @param method GET or HEAD
 * @param path the path as sent, without the query
 * @param query what follows the question mark, still encoded; empty if there is none
 * @param acceptEncoding the Accept-Encoding header; empty if there is none
 */
public record HttpRequest(String method, String path, String query, String acceptEncoding) {
    /** Whether the client takes gzip: named, or covered by {@code *}, and not with weight zero (RFC 9110, section 12.5.3). */
    boolean acceptsGzip() {
        boolean any = false;
        for (String coding : acceptEncoding.toLowerCase(Locale.ROOT).split(",", -1)) {
            String[] parts = coding.split(";", 2);
            boolean wanted = parts.length == 1 || !parts[1].strip().matches("q\\s*=\\s*0(\\.0*)?");
            switch (parts[0].strip()) {
                case "gzip", "x-gzip" -> {
                    return wanted;
                }
                case "*" -> any = wanted;
                default -> { }
            }
        }
        return any;
    }
}
