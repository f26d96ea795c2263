package dev.cairn.tls;

/** What a client must show of itself. */
public enum ClientAuth {
    NOCERT(false, false),
    REQUEST(false, false),
    REQUIRE(true, false),
    VERIFY_IF_GIVEN(false, true),
    REQUIRE_AND_VERIFY(true, true);

    private final boolean required;
    private final boolean verified;

    ClientAuth(boolean required, boolean verified) {
        this.required = required;
        this.verified = verified;
    }

    /** Whether a client without a certificate is turned away. */
    public boolean required() {
        return required;
    }

    /** Whether a certificate must be signed by one we trust. */
    public boolean verified() {
        return verified;
    }
}
