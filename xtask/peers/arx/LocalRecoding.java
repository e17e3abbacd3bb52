import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.deidentifier.arx.ARXAnonymizer;
import org.deidentifier.arx.ARXConfiguration;
import org.deidentifier.arx.ARXResult;
import org.deidentifier.arx.AttributeType.Hierarchy;
import org.deidentifier.arx.Data;
import org.deidentifier.arx.DataHandle;
import org.deidentifier.arx.criteria.KAnonymity;
import org.deidentifier.arx.metric.Metric;

/**
 * ARX's local recoding: LocalRecoding TABLE.csv HIERARCHIES K STEP. HIERARCHIES has one file NAME.csv per column, and
 * all columns are quasi-identifiers.
 *
 * <p>Settings: k-anonymity, suppression limit 1, loss metric with a generalization/suppression factor of 0, arithmetic mean; then
 * optimizeIterativeFast with STEP records per step. Prints Iyengar's loss of the output, rows that stay suppressed (each of their
 * cells counts 1), and seconds.
 */
public final class LocalRecoding {
    public static void main(String[] arguments) throws Exception {
        Path table = Paths.get(arguments[0]);
        Path hierarchies = Paths.get(arguments[1]);
        int k = Integer.parseInt(arguments[2]);
        double step = Double.parseDouble(arguments[3]);
        List<String[]> rows = read(table, ",");
        String[] names = rows.get(0);
        Data data = Data.create(rows);
        List<Map<String, Double>> losses = new ArrayList<>();
        for (String name : names) {
            List<String[]> hierarchy = read(hierarchies.resolve(name + ".csv"), ";");
            data.getDefinition().setAttributeType(name, Hierarchy.create(hierarchy));
            losses.add(losses(hierarchy));
        }
        ARXConfiguration configuration = ARXConfiguration.create();
        configuration.addPrivacyModel(new KAnonymity(k));
        configuration.setSuppressionLimit(1d);
        configuration.setQualityModel(Metric.createLossMetric(0d, Metric.AggregateFunction.ARITHMETIC_MEAN));
        long start = System.nanoTime();
        ARXResult result = new ARXAnonymizer().anonymize(data, configuration);
        DataHandle output = result.getOutput();
        if (result.isOptimizable(output)) {
            result.optimizeIterativeFast(output, step, 0d, progress -> {});
        }
        double seconds = (System.nanoTime() - start) / 1e9;
        double sum = 0;
        int suppressed = 0;
        for (int row = 0; row < output.getNumRows(); row++) {
            boolean all = output.isOutlier(row);
            suppressed += all ? 1 : 0;
            for (int column = 0; column < names.length; column++) {
                Double loss = all ? Double.valueOf(1) : losses.get(column).get(output.getValue(row, column));
                sum += loss;
            }
        }
        double loss = sum / output.getNumRows() / names.length;
        System.out.printf("k %d, step %s: loss %.4f, %d rows suppressed, %.1f s%n", k, arguments[3], loss, suppressed, seconds);
    }

    private static List<String[]> read(Path path, String separator) throws IOException {
        List<String[]> rows = new ArrayList<>();
        try (BufferedReader reader = Files.newBufferedReader(path)) {
            for (String line; (line = reader.readLine()) != null; ) {
                if (!line.isEmpty()) {
                    rows.add(line.split(separator, -1));
                }
            }
        }
        return rows;
    }

    /** Of every value and node the share of the other values that it stands for. */
    private static Map<String, Double> losses(List<String[]> hierarchy) {
        Map<String, Set<String>> leaves = new HashMap<>();
        for (String[] line : hierarchy) {
            for (String node : line) {
                leaves.computeIfAbsent(node, key -> new HashSet<>()).add(line[0]);
            }
        }
        Map<String, Double> losses = new HashMap<>();
        double others = Math.max(1, hierarchy.size() - 1);
        leaves.forEach((node, below) -> losses.put(node, (below.size() - 1) / others));
        return losses;
    }
}
