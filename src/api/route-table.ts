// Every route of the service, as its files declare them.

import { absentRoutes } from './absent.js';
import { aliasRoutes } from './aliases.js';
import { allocationExplainRoutes } from './allocation-explain.js';
import { bulkRoutes } from './bulk.js';
import { byQueryRoutes } from './by-query.js';
import { catRoutes } from './cat.js';
import { clusterRoutes } from './cluster.js';
import { clusterHealthRoutes } from './cluster-health.js';
import { clusterInfoRoutes } from './cluster-info.js';
import { clusterSettingRoutes } from './cluster-settings.js';
import { docsRoutes } from './docs.js';
import { documentReadRoutes } from './document-reads.js';
import { documentWriteRoutes } from './document-writes.js';
import { explainRoutes } from './explain.js';
import { fieldCapsRoutes } from './field-caps.js';
import { graphRoutes } from './graph.js';
import { graphDetectionRoutes } from './graph-detection.js';
import { healthRoutes } from './health.js';
import { healthReportRoutes } from './health-report.js';
import { indexBlockRoutes } from './index-blocks.js';
import { indexMaintenanceRoutes } from './index-maintenance.js';
import { indexMappingRoutes } from './index-mappings.js';
import { indexSettingRoutes } from './index-settings.js';
import { indexTemplateRoutes } from './index-templates.js';
import { indexRoutes } from './indices.js';
import { inferenceRoutes } from './inference.js';
import { knnSearchRoutes } from './knn-search.js';
import { licenseRoutes } from './license.js';
import { llmsRoutes } from './llms.js';
import { mcpRoutes } from './mcp.js';
import { memoryRoutes } from './memory.js';
import { memoryTransferRoutes } from './memory-transfer.js';
import { multiGetRoutes } from './multi-get.js';
import { multiSearchRoutes } from './multi-search.js';
import { nodeActivityRoutes } from './node-activity.js';
import { nodeRoutes } from './nodes.js';
import { pointInTimeRoutes } from './points-in-time.js';
import { recoveryRoutes } from './recovery.js';
import { refusedRoutes } from './refused.js';
import { reindexRoutes } from './reindex.js';
import { rerouteRoutes } from './reroute.js';
import { resolveIndexRoutes } from './resolve-index.js';
import { rolloverRoutes } from './rollover.js';
import type { ApiDeps, Route } from './routes.js';
import { scrollRoutes } from './scroll.js';
import { searchRoutes } from './search.js';
import { searchShardRoutes } from './search-shards.js';
import { searchTemplateRoutes } from './search-templates.js';
import { securityRoutes } from './security.js';
import { snapshotRoutes } from './snapshot.js';
import { statsRoutes } from './stats.js';
import { storedScriptRoutes } from './stored-scripts.js';
import { taskRoutes } from './tasks.js';
import { validateQueryRoutes } from './validate-query.js';

/** In an order that is the same every time. */
export function allRoutes(deps: ApiDeps): readonly Route[] {
  const routes: readonly Route[] = [
    ...healthRoutes(deps),
    ...docsRoutes(() => routes),
    ...llmsRoutes(),
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
    ...absentRoutes(deps),
    ...licenseRoutes(deps),
    ...securityRoutes(),
    ...refusedRoutes(),
    ...indexRoutes(deps, (path) => routes.find(({ paths }) => paths.includes(path))),
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
  ];
  return routes;
}
