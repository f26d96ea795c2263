package dev.cairn.conformance;

import java.io.IOException;
import java.util.Locale;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.xbill.DNS.DClass;
import org.xbill.DNS.Name;
import org.xbill.DNS.Record;
import org.xbill.DNS.SOARecord;
import org.xbill.DNS.Type;

/**
 * A record as {@code dns.yaml} writes it: {@code owner ttl class type rdata}, where {@code *} as ttl or as serial of an SOA stands for any.
 *
 * @param text as written, for messages
 */
record ExpectedRecord(String text, Record record, boolean anyTtl, boolean anySerial) {
    static ExpectedRecord parse(String text) {
        String[] words = text.split("\\s+", 5);
        if (words.length != 5 || !words[2].equals("IN")) {
            throw new IllegalArgumentException("not 'owner ttl IN type rdata': " + text);
        }
        boolean anyTtl = words[1].equals("*");
        boolean anySerial = words[3].equals("SOA") && words[4].contains(" * ");
        String rdata = anySerial ? words[4].replace(" * ", " 0 ") : words[4];
        try {
            Name owner = Name.fromString(words[0], Name.root);
            long ttl = anyTtl ? 0 : Long.parseLong(words[1]);
            Record record = Record.fromString(owner, Type.value(words[3]), DClass.IN, ttl, rdata, Name.root);
            return new ExpectedRecord(text, record, anyTtl, anySerial);
        } catch (IOException e) {
            throw new IllegalArgumentException(text, e);
        }
    }

    boolean matches(Record got) {
        return got.getType() == record.getType()
                && got.getDClass() == record.getDClass()
                && got.getName().equals(record.getName()) // without regard to case
                && (anyTtl || got.getTTL() == record.getTTL())
                && rdata(got).equals(rdata(record));
    }

    private String rdata(Record of) {
        String text = of instanceof SOARecord soa && anySerial ? withoutSerial(soa) : of.rdataToString();
        return text.toLowerCase(Locale.ROOT);
    }

    private static String withoutSerial(SOARecord soa) {
        return Stream.of(soa.getHost(), soa.getAdmin(), soa.getRefresh(), soa.getRetry(), soa.getExpire(), soa.getMinimum())
                .map(Object::toString)
                .collect(Collectors.joining(" "));
    }
}
