// Typical operations with the official client for Java, whose types reject responses without the
// expected members.
import co.elastic.clients.elasticsearch.ElasticsearchClient;
import co.elastic.clients.elasticsearch._types.ElasticsearchException;
import co.elastic.clients.elasticsearch._types.Refresh;
import co.elastic.clients.json.jackson.JacksonJsonpMapper;
import co.elastic.clients.transport.rest_client.RestClientTransport;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.http.HttpHost;
import org.elasticsearch.client.ResponseException;
import org.elasticsearch.client.RestClient;

public final class Day {
  public static void main(String[] args) throws Exception {
    try (RestClient rest = RestClient.builder(HttpHost.create(args[0])).build();
        RestClientTransport transport = new RestClientTransport(rest, new JacksonJsonpMapper())) {
      System.out.println(new ObjectMapper().writeValueAsString(work(new ElasticsearchClient(transport), args[1])));
    }
  }

  private static Map<String, Object> work(ElasticsearchClient es, String index) throws Exception {
    Map<String, Object> report = new LinkedHashMap<>();
    report.put("tagline", es.info().tagline());
    report.put("health", es.cluster().health().numberOfNodes());
    report.put(
        "created",
        es.indices()
            .create(c -> c.index(index).mappings(m -> m.properties("title", p -> p.text(t -> t)).properties("price", p -> p.integer(i -> i))))
            .acknowledged());
    List<Map<String, Object>> documents =
        List.of(
            Map.of("title", "Green apples", "price", 3),
            Map.of("title", "Red apples and pears", "price", 5),
            Map.of("title", "Blue paint", "price", 12));
    var bulk =
        es.bulk(
            b -> {
              b.index(index).refresh(Refresh.True);
              for (int i = 0; i < documents.size(); i++) {
                String id = String.valueOf(i + 1);
                Map<String, Object> document = documents.get(i);
                b.operations(o -> o.index(x -> x.id(id).document(document)));
              }
              return b;
            });
    report.put("bulk", bulk.items().size());
    var found = es.search(s -> s.index(index).query(q -> q.match(m -> m.field("title").query("apples"))), Map.class);
    report.put("found", found.hits().hits().stream().map(hit -> hit.id()).toList());
    report.put("count", es.count(c -> c.index(index)).count());
    var sums = es.search(s -> s.index(index).size(0).aggregations("sum", a -> a.sum(x -> x.field("price"))), Map.class);
    report.put("sum", sums.aggregations().get("sum").sum().value());
    report.put("updated", es.update(u -> u.index(index).id("1").doc(Map.of("price", 4)), Map.class).result().jsonValue());
    try {
      es.create(c -> c.index(index).id("1").document(Map.of()));
    } catch (ResponseException error) {
      report.put("conflict", error.getResponse().getStatusLine().getStatusCode());
    }
    report.put("cat", es.cat().indices(c -> c.index(index)).valueBody().size());
    report.put("deleted", es.delete(d -> d.index(index).id("1")).result().jsonValue());
    report.put("dropped", es.indices().delete(d -> d.index(index)).acknowledged());
    try {
      es.search(s -> s.index(index), Map.class);
    } catch (ElasticsearchException error) {
      report.put("missing", error.error().type());
    }
    return report;
  }
}
