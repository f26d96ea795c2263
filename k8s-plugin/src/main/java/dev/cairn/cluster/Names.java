package dev.cairn.cluster;

import java.util.regex.Pattern;

/** The API server's rules for names, with its messages. */
public final class Names {
    private static final Pattern LABEL_1035 = Pattern.compile("[a-z]([-a-z0-9]*[a-z0-9])?");
    private static final Pattern SUBDOMAIN = Pattern.compile("[a-z0-9]([-a-z0-9.]*[a-z0-9])?");
    private static final int LABEL_LENGTH = 63;
    private static final int NAME_LENGTH = 253;
    private static final int PORT_NAME_LENGTH = 15;

    private Names() {}

    /** What is wrong with it as a service's name; empty if nothing. */
    public static String faultOfService(String name) {
        if (name.length() > LABEL_LENGTH) {
            return "must be no more than 63 characters";
        }
        return LABEL_1035.matcher(name).matches() ? "" : "a DNS-1035 label must consist of lower case alphanumeric characters or '-', start"
                + " with an alphabetic character, and end with an alphanumeric character (e.g. 'my-name', or 'abc-123')";
    }

    /** What is wrong with it as the name of a namespace, a host or a port; empty if nothing. */
    public static String faultOfLabel(String name) {
        if (name.length() > LABEL_LENGTH) {
            return "must be no more than 63 characters";
        }
        return isLabel(name) ? "" : "a lowercase RFC 1123 label must consist of lower case alphanumeric characters or"
                + " '-', and must start and end with an alphanumeric character (e.g. 'my-name', or '123-abc')";
    }

    /** Whether it can be the name of a namespace or a service, and so a label in DNS. Makes no garbage: watches ask for each object. */
    public static boolean isLabel(String name) {
        int last = name.length() - 1;
        if (last < 0 || last >= LABEL_LENGTH || name.charAt(0) == '-' || name.charAt(last) == '-') {
            return false;
        }
        for (int i = 0; i <= last; i++) {
            char c = name.charAt(i);
            if ((c < 'a' || c > 'z') && (c < '0' || c > '9') && c != '-') {
                return false;
            }
        }
        return true;
    }

    /** What is wrong with it as the name of most objects, or as an external name; empty if nothing. */
    public static String faultOfSubdomain(String name) {
        if (name.length() > NAME_LENGTH) {
            return "must be no more than 253 characters";
        }
        return SUBDOMAIN.matcher(name).matches() && !name.contains("..") ? "" : "a lowercase RFC 1123 subdomain must consist of lower case"
                + " alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com')";
    }

    /** What is wrong with it as the name of a pod's port; empty if nothing. */
    public static String faultOfTargetPort(String name) {
        if (name.length() > PORT_NAME_LENGTH) {
            return "must be no more than 15 characters";
        }
        if (name.chars().noneMatch(c -> c >= 'a' && c <= 'z')) {
            return "must contain at least one letter (a-z)";
        }
        return isLabel(name) && !name.contains("--") ? "" : "must contain only lower case alphanumeric characters and"
                + " '-', no two '-' in a row, and must start and end with an alphanumeric character";
    }
}
