package dev.cairn.log;

import java.util.Collection;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Guesses which word was meant, for messages. */
public final class NearestWord {

    private NearestWord() {
    }

    /** The known word that differs least from the wrong one, or null if all differ so much that a guess would not help. */
    public static @Nullable String of(String wrong, Collection<String> known) {
        String nearest = null;
        int least = tolerated(wrong.length()) + 1;
        for (String word : known) {
            if (Math.abs(word.length() - wrong.length()) < least) {
                int distance = distance(wrong.toLowerCase(Locale.ROOT), word.toLowerCase(Locale.ROOT));
                if (distance < least) {
                    least = distance;
                    nearest = word;
                }
            }
        }
        return nearest;
    }

    private static int tolerated(int length) {
        return length < 3 ? 0 : length < 5 ? 1 : length < 9 ? 2 : 3;
    }

    /** Letters added, removed, changed, or swapped with their neighbour (Damerau, in the variant of optimal string alignment). */
    private static int distance(String a, String b) {
        int[][] d = new int[a.length() + 1][b.length() + 1];
        for (int i = 0; i <= a.length(); i++) {
            for (int j = 0; j <= b.length(); j++) {
                if (i == 0 || j == 0) {
                    d[i][j] = i + j;
                    continue;
                }
                int change = a.charAt(i - 1) == b.charAt(j - 1) ? 0 : 1;
                d[i][j] = Math.min(d[i - 1][j - 1] + change, 1 + Math.min(d[i - 1][j], d[i][j - 1]));
                if (i > 1 && j > 1 && a.charAt(i - 1) == b.charAt(j - 2) && a.charAt(i - 2) == b.charAt(j - 1)) {
                    d[i][j] = Math.min(d[i][j], d[i - 2][j - 2] + 1);
                }
            }
        }
        return d[a.length()][b.length()];
    }
}
