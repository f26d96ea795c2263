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
    boolean isHead() {
        return method.equals("HEAD");
    }

    /** Whether the client takes gzip: named, or covered by {@code *}, and not with weight zero (RFC 9110, section 12.5.3). */
    boolean acceptsGzip() {
        boolean any = false;
        for (String coding : acceptEncoding.toLowerCase(Locale.ROOT).split(",", -1)) {
            int semicolon = coding.indexOf(';');
            boolean wanted = semicolon < 0 || !isZero(coding.substring(semicolon + 1));
            switch ((semicolon < 0 ? coding : coding.substring(0, semicolon)).strip()) {
                case "gzip", "x-gzip" -> {
                    return wanted;
                }
                case "*" -> any = wanted;
                default -> { }
            }
        }
        return any;
    }

    /** Whether this is {@code q=0}, with whatever zeros after a dot. */
    private static boolean isZero(String weight) {
        int equals = weight.indexOf('=');
        if (equals < 0 || !weight.substring(0, equals).strip().equals("q")) {
            return false;
        }
        String value = weight.substring(equals + 1).strip();
        if (!value.equals("0") && !value.startsWith("0.")) {
            return false;
        }
        for (int i = 2; i < value.length(); i++) {
            if (value.charAt(i) != '0') {
                return false;
            }
        }
        return true;
    }
}
