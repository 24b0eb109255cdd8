// Which privilege each route needs: the one table of it. A route that is not in it is for keys of everything alone, and fails
// a test. What a key may see of a route's answer is not said here but by its patterns, in granted/.

import { licensePaths } from '../api/cluster/license.js';
import type { Method } from '../api/kit/routes.js';
import { refusedPaths } from '../api/unsupported/unsupported-calls.js';
import { absentPaths } from '../api/unsupported/unsupported-resources.js';
import type { Grant, Privilege } from '../auth/grant.js';
import { QuarryError } from '../errors.js';

/**
 * open: nobody is asked. page: nobody needs a key, and one that is shown has to be good. metrics: the metrics token, or any key.
 * any: any key that is good. Otherwise privileges: all of a&b, one of a|b; with `node:` the key has to be for all indexes as
 * well, since the route concerns the node as a whole.
 */
export type Rule = 'open' | 'page' | 'metrics' | 'any' | `${'' | 'node:'}${Needs}`;
type Needs = Privilege | 'read&write' | 'write|manage';

const TABLE = `
GET /v1/health                                open
GET /v1/health/ready                          open
GET /v1/metrics                               metrics
GET /v1/docs                                  page
GET /v1/docs/start.js                         page
GET /v1/docs/swagger-ui.css                   page
GET /v1/docs/swagger-ui-bundle.js             page
GET /v1/openapi.json                          page
GET /v1/llms.txt                              page
POST /v1/mcp                                  any
GET,HEAD /                                    any
GET /_security/_authenticate                  any

GET,POST /_search                             read
GET,POST /:index/_search                      read
GET,POST /:index/_knn_search                  read
GET,POST /_count                              read
GET,POST /:index/_count                       read
GET,POST /_msearch                            read
GET,POST /:index/_msearch                     read
GET,POST /_search/template                    read
GET,POST /:index/_search/template             read
GET,POST /_msearch/template                   read
GET,POST /:index/_msearch/template            read
GET,POST /_render/template                    read
GET,POST /_render/template/:id                node:read
GET,POST /_field_caps                         read
GET,POST /:index/_field_caps                  read
GET,POST /_validate/query                     read
GET,POST /:index/_validate/query              read
GET,POST /:index/_explain/:id                 read
GET,POST,DELETE /_search/scroll               read
GET,POST,DELETE /_search/scroll/:scroll_id    read
POST /:index/_pit                             read
DELETE /_pit                                  read
POST /:index/_search/point_in_time            read
GET,DELETE /_search/point_in_time/_all        read
DELETE /_search/point_in_time                 read
GET,HEAD /:index/_doc/:id                     read
GET,HEAD /:index/_source/:id                  read
GET,POST /_mget                               read
GET,POST /:index/_mget                        read
GET,POST /_analyze                            read
GET,POST /:index/_analyze                     read

POST,PUT /_bulk                               write
POST,PUT /:index/_bulk                        write
POST /:index/_doc                             write
PUT,POST,DELETE /:index/_doc/:id              write
PUT,POST /:index/_create/:id                  write
POST /:index/_update/:id                      write
POST /:index/_delete_by_query                 read&write
POST /:index/_update_by_query                 read&write
POST /_reindex                                read&write
GET /_tasks                                   any
GET /_tasks/:task_id                          any
POST /_tasks/_cancel                          any
POST /_tasks/:task_id/_cancel                 any
POST /_delete_by_query/:task_id/_rethrottle   any
POST /_update_by_query/:task_id/_rethrottle   any
POST /_reindex/:task_id/_rethrottle           any
GET,POST /_refresh                            write|manage
GET,POST /:index/_refresh                     write|manage

PUT,DELETE /:index                            manage
GET,HEAD /:index                              any
GET /_mapping                                 any
GET /_mappings                                any
GET /:index/_mapping                          any
GET /:index/_mappings                         any
PUT,POST /:index/_mapping                     manage
PUT,POST /:index/_mappings                    manage
GET /_mapping/field/:fields                   any
GET /:index/_mapping/field/:fields            any
GET /_settings                                any
GET /:index/_settings                         any
GET /_settings/:name                          any
GET /:index/_settings/:name                   any
PUT /_settings                                manage
PUT /:index/_settings                         manage
PUT,DELETE /:index/_block/:block              manage
GET,POST /_flush                              manage
GET,POST /:index/_flush                       manage
POST /_forcemerge                             manage
POST /:index/_forcemerge                      manage
POST /_cache/clear                            manage
POST /:index/_cache/clear                     manage
POST /:index/_open                            manage
POST /:index/_close                           manage
POST /:index/_rollover                        manage
POST /:index/_rollover/:new_index             manage
POST /_aliases                                manage
GET /_alias                                   any
GET /_aliases                                 any
GET,HEAD /_alias/:name                        any
GET,HEAD /:index/_alias                       any
GET,HEAD /:index/_alias/:name                 any
PUT,POST,DELETE /:index/_alias/:name          manage
PUT,POST,DELETE /:index/_aliases/:name        manage
GET,POST /_resolve/index/:index                any
GET /_stats                                   any
GET /_stats/:metric                           any
GET /:index/_stats                            any
GET /:index/_stats/:metric                    any
GET /_segments                                any
GET /:index/_segments                         any

GET /_cat/indices                             any
GET /_cat/indices/:index                      any
GET,POST /_cat/count                          read
GET,POST /_cat/count/:index                   read
GET /_cat/health                              any
GET /_cat/aliases                             any
GET /_cat/aliases/:name                       any
GET /_cat/shards                              any
GET /_cat/shards/:index                       any
GET /_cat/nodes                               any
GET /_cat/segments                            any
GET /_cat/segments/:index                     any
GET /_cat/recovery                            any
GET /_cat/recovery/:index                     any
GET /_cat/allocation                          node:read
GET /_cat/allocation/:node                    node:read
GET /_cat/master                              any
GET /_cat/cluster_manager                     any
GET /_cat/tasks                               any
GET /_cat/pending_tasks                       any
GET /_cat/plugins                             any
GET /_cat/nodeattrs                           any
GET /_cat/fielddata                           any
GET /_cat/fielddata/:fields                   any
GET /_cat/templates                           node:read
GET /_cat/templates/:name                     node:read
GET /_cat/component_templates                 node:read
GET /_cat/component_templates/:name           node:read
GET /_cat                                     any
GET /_cat/repositories                        node:manage
GET /_cat/snapshots                           node:manage
GET /_cat/snapshots/:repository               node:manage
GET /_cluster/health                          any
GET /_cluster/health/:index                   any
GET /_cluster/state                           any
GET /_cluster/state/:metrics                  any
GET /_cluster/state/:metrics/:index           any
GET /_cluster/settings                        node:read
PUT /_cluster/settings                        node:manage
GET /_cluster/stats                           node:read
GET /_cluster/stats/nodes/:node               node:read
GET /_cluster/pending_tasks                   any
POST /_cluster/reroute                        node:manage
GET /_health_report                           node:read
GET /_health_report/:feature                  node:read
GET /_cat/thread_pool                         node:read
GET /_cat/thread_pool/:name                   node:read
GET /_nodes/hot_threads                       node:read
GET /_nodes/:node/hot_threads                 node:read
GET /_cluster/nodes/hot_threads               node:read
GET /_cluster/nodes/:node/hot_threads         node:read
GET /_nodes/usage                             node:read
GET /_nodes/usage/:metric                     node:read
GET /_nodes/:node/usage                       node:read
GET /_nodes/:node/usage/:metric               node:read
GET,POST /_cluster/allocation/explain         any
GET /_resolve/cluster                         any
GET /_resolve/cluster/:index                  any
GET /_dangling                                any
GET /_recovery                                any
GET /:index/_recovery                         any
GET,POST /_search_shards                      any
GET,POST /:index/_search_shards               any
GET /_shard_stores                            any
GET /:index/_shard_stores                     any
GET /_nodes                                   any
GET /_nodes/:node                             any
GET /_nodes/:node/:metric                     any
GET /_nodes/stats                             node:read
GET /_nodes/stats/:metric                     node:read
GET /_nodes/:node/stats                       node:read
GET /_nodes/:node/stats/:metric               node:read
GET /_nodes/stats/:metric/:section            node:read
GET /_nodes/:node/stats/:metric/:section      node:read

GET,HEAD /_index_template/:name               node:read
GET /_index_template                          node:read
PUT,POST,DELETE /_index_template/:name        node:manage
GET,HEAD /_component_template/:name           node:read
GET /_component_template                      node:read
PUT,POST,DELETE /_component_template/:name    node:manage
GET,HEAD /_template/:name                     node:read
GET /_template                                node:read
PUT,POST,DELETE /_template/:name              node:manage
POST /_index_template/_simulate               node:read
POST /_index_template/_simulate/:name         node:read
POST /_index_template/_simulate_index/:name   node:read

GET /_scripts/:id                             node:read
PUT,POST,DELETE /_scripts/:id                 node:manage
PUT,POST /_scripts/:id/:context               node:manage

PUT,DELETE /_inference/:first                 node:manage
PUT,DELETE /_inference/:first/:second         node:manage
PUT /_inference/:first/:second/_update        node:manage
GET /_inference                               node:read
GET,POST /_inference/:first                   node:read
GET,POST /_inference/:first/:second           node:read

* /_snapshot                                  node:manage
* /_snapshot/_status                          node:manage
* /_snapshot/:repository                      node:manage
* /_snapshot/:repository/_verify              node:manage
* /_snapshot/:repository/_cleanup             node:manage
* /_snapshot/:repository/_status              node:manage
* /_snapshot/:repository/:snapshot            node:manage
* /_snapshot/:repository/:snapshot/_status    node:manage
* /_snapshot/:repository/:snapshot/_restore   node:manage
* /_snapshot/:repository/:snapshot/_mount     node:manage
* /_snapshot/:repository/:snapshot/_clone/:target node:manage

PUT,DELETE /_memory/:namespace                manage
POST /_memory/:namespace                      write
GET /_memory/:namespace                       read
GET,POST /_memory/:namespace/_recall          read
DELETE /_memory/:namespace/:id                write
GET /_memory/:namespace/_export               read
POST /_memory/:namespace/_import              write
PUT /_graph/:brain                            manage
GET /_graph/:brain/ego                        read
GET /_graph/:brain/overview                   read
POST /_graph/:brain/link                      write
DELETE /_graph/:brain/link/:edge_id           write
POST /_graph/:brain/detect                    read&write
GET /_graph/:brain/detect                     read
POST /_graph/:brain/verify                    read&write
GET /_graph/:brain/suggestions                read
POST /_graph/:brain/suggestions/:id/accept    write
POST /_graph/:brain/suggestions/:id/reject    write
`;

/** Only refuse whoever comes, or say that there is none: what is not there concerns no key. */
const REFUSING = [...refusedPaths(), ...absentPaths(), ...licensePaths()];

const RULES: ReadonlyMap<string, Rule> = new Map([
  ...REFUSING.map((path) => [`* ${path}`, 'any'] as const),
  ...TABLE.split('\n')
    .filter((line) => line !== '')
    .flatMap((line) => {
      const [methods = '', path, rule] = line.split(/ +/);
      return methods.split(',').map((method) => [`${method} ${path}`, rule as Rule] as const);
    }),
]);

/** `path`: the route's pattern. Undefined: nobody has thought about it. */
export function ruleOf(method: Method, path: string): Rule | undefined {
  return RULES.get(`${method} ${path}`) ?? RULES.get(`* ${path}`);
}

/** `METHOD /path` of every row, for the test that each of them is a route. */
export function ruledRoutes(): readonly string[] {
  return [...RULES.keys()];
}

const OF_ANY_KEY: ReadonlySet<Rule> = new Set<Rule>(['open', 'page', 'metrics', 'any']);

/** security_exception, 403, unless the key may. `what`: the route, as refusals name it. */
export function checkRule(rule: Rule, grant: Grant, what: string): void {
  if (OF_ANY_KEY.has(rule)) return;
  const isNode = rule.startsWith('node:');
  const needs = isNode ? rule.slice('node:'.length) : rule;
  if (isNode && !grant.all) {
    throw lacking(grant, what, 'this action needs a key for all indices [*]');
  }
  const has = (one: string): boolean => grant.privileges.has(one as Privilege);
  const good = needs.includes('|') ? needs.split('|').some(has) : needs.split('&').every(has);
  if (good) return;
  const named = needs.split(/[|&]/).join(',');
  throw lacking(grant, what, `this action is granted by the privileges [${named}]`);
}

function lacking({ id, name }: Grant, what: string, remedy: string): QuarryError {
  return new QuarryError(
    'security_exception',
    `action [${what}] is unauthorized for API key id [${id}] of user [${name}], ${remedy}`,
  );
}
