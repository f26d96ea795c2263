package dev.cairn.explain;

import java.util.List;
import org.xbill.DNS.DClass;
import org.xbill.DNS.Message;
import org.xbill.DNS.Rcode;
import org.xbill.DNS.Record;
import org.xbill.DNS.Section;

/**
 * What a question was answered with.
 *
 * @param result the response code, but NODATA for NOERROR without an answer; NO REPLY if there was none
 * @param records the answer section, as in a zone file
 * @param additional the additional section
 */
record Reply(String result, List<Record> records, List<Record> additional) {
    static final Reply NONE = new Reply("NO REPLY", List.of(), List.of());

    Reply {
        records = List.copyOf(records);
        additional = List.copyOf(additional);
    }

    static Reply of(Message message) {
        List<Record> records = message.getSection(Section.ANSWER);
        int rcode = message.getRcode();
        String result = rcode == Rcode.NOERROR && records.isEmpty() ? "NODATA" : Rcode.string(rcode);
        return new Reply(result, records, message.getSection(Section.ADDITIONAL));
    }

    /** Whether there is something for the client. */
    boolean answers() {
        return result.equals("NOERROR");
    }

    List<String> rows() {
        return records.stream().map(Reply::row).toList();
    }

    private static String row(Record record) {
        return record.getName() + " " + record.getTTL() + " " + DClass.string(record.getDClass()) + " "
                + org.xbill.DNS.Type.string(record.getType()) + " " + record.rdataToString();
    }

    /** Whether another says the same to the client; order and TTL do not count. */
    boolean agreesWith(Reply other) {
        return result.equals(other.result) && data().equals(other.data());
    }

    private List<String> data() {
        return records.stream().map(record -> record.getName() + " " + record.getType() + " " + record.rdataToString()).sorted().toList();
    }
}
