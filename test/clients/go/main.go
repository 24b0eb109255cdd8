// Typical operations with the official client for Go; the result is one line of JSON.
package main

import (
	"encoding/json"
	"fmt"
	"os"
	"strings"

	"github.com/elastic/go-elasticsearch/v8"
	"github.com/elastic/go-elasticsearch/v8/esapi"
)

type object = map[string]any

func check(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// Returns the status and the body of a response.
func read(response *esapi.Response, err error) (int, object) {
	check(err)
	defer response.Body.Close()
	body := object{}
	if !strings.HasPrefix(response.Header.Get("Content-Type"), "application/") {
		return response.StatusCode, body
	}
	check(json.NewDecoder(response.Body).Decode(&body))
	return response.StatusCode, body
}

func main() {
	index := os.Args[2]
	es, err := elasticsearch.NewClient(elasticsearch.Config{
		Addresses:           []string{os.Args[1]},
		CompressRequestBody: true,
	})
	check(err)
	report := object{}
	_, info := read(es.Info())
	report["tagline"] = info["tagline"]
	mappings := `{"mappings":{"properties":{"title":{"type":"text"},"price":{"type":"integer"}}}}`
	_, created := read(es.Indices.Create(index, es.Indices.Create.WithBody(strings.NewReader(mappings))))
	report["created"] = created["acknowledged"]
	lines := `{"index":{"_id":"1"}}
{"title":"Green apples","price":3}
{"index":{"_id":"2"}}
{"title":"Red apples and pears","price":5}
{"index":{"_id":"3"}}
{"title":"Blue paint","price":12}
`
	_, bulk := read(es.Bulk(strings.NewReader(lines), es.Bulk.WithIndex(index), es.Bulk.WithRefresh("true")))
	report["bulk"] = len(bulk["items"].([]any))
	query := `{"query":{"match":{"title":"apples"}}}`
	_, found := read(es.Search(es.Search.WithIndex(index), es.Search.WithBody(strings.NewReader(query))))
	ids := []string{}
	for _, hit := range found["hits"].(object)["hits"].([]any) {
		ids = append(ids, hit.(object)["_id"].(string))
	}
	report["found"] = ids
	_, count := read(es.Count(es.Count.WithIndex(index)))
	report["count"] = count["count"]
	_, updated := read(es.Update(index, "1", strings.NewReader(`{"doc":{"price":4}}`)))
	report["updated"] = updated["result"]
	report["conflict"], _ = read(es.Create(index, "1", strings.NewReader(`{}`)))
	_, nodes := read(es.Nodes.Info(es.Nodes.Info.WithMetric("http")))
	report["nodes"] = len(nodes["nodes"].(object))
	_, deleted := read(es.Delete(index, "1"))
	report["deleted"] = deleted["result"]
	_, dropped := read(es.Indices.Delete([]string{index}))
	report["dropped"] = dropped["acknowledged"]
	report["missing"], _ = read(es.Search(es.Search.WithIndex(index)))
	check(json.NewEncoder(os.Stdout).Encode(report))
}
