// The catalog of metrics, which is read once.

import type { Schemas } from '../api/client.ts';
import { v1 } from '../api/client.ts';
import { unwrap } from '../api/failures.ts';
import { createResource, type Resource } from './resource.ts';

let catalog: Resource<Schemas['MetricCatalog']> | undefined;

export function useMetricCatalog(): Resource<Schemas['MetricCatalog']> {
  if (!catalog) {
    catalog = createResource(() => unwrap(v1.GET('/v1/metrics')));
    void catalog.reload();
  }
  return catalog;
}
