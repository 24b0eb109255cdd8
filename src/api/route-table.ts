// Collects the routes of all files.

import { graphRoutes } from './agents/graph.js';
import { graphDetectionRoutes } from './agents/graph-detection.js';
import { inferenceRoutes } from './agents/inference.js';
import { mcpRoutes } from './agents/mcp.js';
import { memoryRoutes } from './agents/memory.js';
import { memoryTransferRoutes } from './agents/memory-transfer.js';
import { allocationExplainRoutes } from './cluster/allocation-explain.js';
import { catRoutes } from './cluster/cat.js';
import { clusterRoutes } from './cluster/cluster.js';
import { clusterHealthRoutes } from './cluster/cluster-health.js';
import { clusterInfoRoutes } from './cluster/cluster-info.js';
import { clusterSettingRoutes } from './cluster/cluster-settings.js';
import { dataMapRoutes } from './cluster/data-map.js';
import { diagnosticRoutes } from './cluster/diagnostics.js';
import { healthRoutes } from './cluster/health.js';
import { healthReportRoutes } from './cluster/health-report.js';
import { licenseRoutes } from './cluster/license.js';
import { nodeActivityRoutes } from './cluster/node-activity.js';
import { nodeRoutes } from './cluster/nodes.js';
import { recoveryRoutes } from './cluster/recovery.js';
import { rerouteRoutes } from './cluster/reroute.js';
import { searchShardRoutes } from './cluster/search-shards.js';
import { securityRoutes } from './cluster/security.js';
import { snapshotRoutes } from './cluster/snapshot.js';
import { snapshotPolicyRoutes } from './cluster/snapshot-policies.js';
import { statsRoutes } from './cluster/stats.js';
import { taskRoutes } from './cluster/tasks.js';
import { inClusterMode } from './cluster-mode.js';
import { consoleRoutes } from './console.js';
import { docsRoutes } from './docs.js';
import { bulkRoutes } from './documents/bulk.js';
import { byQueryRoutes } from './documents/by-query.js';
import { documentReadRoutes } from './documents/document-reads.js';
import { documentWriteRoutes } from './documents/document-writes.js';
import { multiGetRoutes } from './documents/multi-get.js';
import { reindexRoutes } from './documents/reindex.js';
import { aliasRoutes } from './indices/aliases.js';
import { indexBlockRoutes } from './indices/index-blocks.js';
import { indexMaintenanceRoutes } from './indices/index-maintenance.js';
import { indexMappingRoutes } from './indices/index-mappings.js';
import { indexSettingRoutes } from './indices/index-settings.js';
import { indexTemplateRoutes } from './indices/index-templates.js';
import { indexRoutes } from './indices/indices.js';
import { resolveIndexRoutes } from './indices/resolve-index.js';
import { rolloverRoutes } from './indices/rollover.js';
import type { ApiDeps, Route } from './kit/routes.js';
import { llmsRoutes } from './llms.js';
import { asyncSearchRoutes } from './search/async-search.js';
import { explainRoutes } from './search/explain.js';
import { fieldCapsRoutes } from './search/field-caps.js';
import { knnSearchRoutes } from './search/knn-search.js';
import { multiSearchRoutes } from './search/multi-search.js';
import { pointInTimeRoutes } from './search/points-in-time.js';
import { scrollRoutes } from './search/scroll.js';
import { searchRoutes } from './search/search.js';
import { searchTemplateRoutes } from './search/search-templates.js';
import { storedScriptRoutes } from './search/stored-scripts.js';
import { validateQueryRoutes } from './search/validate-query.js';
import { unsupportedCallRoutes } from './unsupported/unsupported-calls.js';
import { missingResourceRoutes } from './unsupported/unsupported-resources.js';

/** All routes, in a fixed order. */
export function allRoutes(deps: ApiDeps): readonly Route[] {
  const routes: readonly Route[] = inClusterMode(deps, [
    ...healthRoutes(deps),
    ...docsRoutes((): readonly Route[] => routes),
    ...llmsRoutes(),
    ...consoleRoutes(deps),
    ...mcpRoutes(deps),
    ...clusterHealthRoutes(deps),
    ...healthReportRoutes(deps),
    ...nodeActivityRoutes(deps),
    ...rerouteRoutes(deps),
    ...clusterRoutes(deps),
    ...clusterSettingRoutes(deps),
    ...clusterInfoRoutes(deps),
    ...allocationExplainRoutes(deps),
    ...recoveryRoutes(deps),
    ...searchShardRoutes(deps),
    ...nodeRoutes(deps),
    ...statsRoutes(deps),
    ...catRoutes(deps),
    ...aliasRoutes(deps),
    ...searchRoutes(deps),
    ...knnSearchRoutes(deps),
    ...fieldCapsRoutes(deps),
    ...validateQueryRoutes(deps),
    ...explainRoutes(deps),
    ...scrollRoutes(deps),
    ...pointInTimeRoutes(deps),
    ...asyncSearchRoutes(deps),
    ...multiSearchRoutes(deps),
    ...bulkRoutes(deps),
    ...byQueryRoutes(deps),
    ...reindexRoutes(deps),
    ...taskRoutes(deps),
    ...searchTemplateRoutes(deps),
    ...storedScriptRoutes(deps),
    ...documentReadRoutes(deps),
    ...documentWriteRoutes(deps),
    ...multiGetRoutes(deps),
    ...indexTemplateRoutes(deps),
    ...resolveIndexRoutes(deps),
    ...rolloverRoutes(deps),
    ...missingResourceRoutes(deps),
    ...licenseRoutes(deps),
    ...securityRoutes(deps),
    ...diagnosticRoutes(deps),
    ...dataMapRoutes(deps),
    ...unsupportedCallRoutes(),
    ...indexRoutes(deps, (path): Route | undefined =>
      routes.find(({ paths }) => paths.includes(path)),
    ),
    ...indexMappingRoutes(deps),
    ...indexSettingRoutes(deps),
    ...indexBlockRoutes(deps),
    ...indexMaintenanceRoutes(deps),
    ...graphRoutes(deps),
    ...inferenceRoutes(deps),
    ...graphDetectionRoutes(deps),
    ...memoryRoutes(deps),
    ...memoryTransferRoutes(deps),
    ...snapshotRoutes(deps),
    ...snapshotPolicyRoutes(deps),
  ]);
  return routes;
}
