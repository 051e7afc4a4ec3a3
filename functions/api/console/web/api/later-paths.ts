// Routes that the documents do not have yet, written by hand. A route is removed from this file as
// soon as the generated types have it; the file goes with the last one.
import type { components } from './generated/v1.d.ts';

type Schemas = components['schemas'];

interface Json<Data> {
  content: { 'application/json': Data };
  headers: Record<string, unknown>;
}
interface Nothing {
  content?: never;
  headers: Record<string, unknown>;
}
interface NoParameters {
  query?: never;
  header?: never;
  path?: never;
  cookie?: never;
}

export interface FoundPerson {
  id: string;
  external_ref: string | null;
}

export interface LaterOwnPaths {
  '/console/api/search': {
    get: {
      parameters: Omit<NoParameters, 'query'> & { query: { q: string } };
      responses: { 200: Json<{ data: FoundPerson[] }> };
    };
  };
  '/console/api/sign-in/passkeys/options': {
    post: {
      parameters: NoParameters;
      requestBody: { content: { 'application/json': Record<string, never> } };
      responses: { 200: Json<PublicKeyCredentialRequestOptionsJSON> };
    };
  };
  '/console/api/sign-in/passkeys': {
    post: {
      parameters: NoParameters;
      requestBody: { content: { 'application/json': { response: unknown } } };
      responses: { 201: Nothing };
    };
  };
}

interface ExplainedDay {
  date: string;
  timezone: string;
  state: 'open' | 'closed';
  sentences: string[];
  pending: boolean;
}

export interface MetricExplanation extends ExplainedDay {
  kind: 'metric';
  metric: Schemas['MetricId'];
  unit: Schemas['Unit'];
  value: number | null;
  explained_value: number | null;
  source: Schemas['SessionSource'] | null;
  rule: {
    key: Schemas['ConsolidationKey'];
    method: Schemas['ConsolidationMethod'];
    overridden: boolean;
    averaged_over: number | null;
  };
  devices: {
    device_id: string;
    provider: Schemas['ProviderId'];
    name: string;
    type: Schemas['DeviceType'];
    rank: number;
    enabled: boolean;
    reported: 'samples' | 'total' | 'night' | null;
    own_value: number | null;
    counted: number | null;
  }[];
  periods: { start: string; end: string; device_id: string; value: number; counted: number }[];
  left_out: { device_id: string; value: number; reason: string; periods: number }[];
  samples_url: string;
}

export interface ScoreExplanation extends ExplainedDay {
  kind: 'score';
  metric: Schemas['ScoreId'];
  unit: 'score';
  value: number | null;
  status: Schemas['ScoreState'];
  confidence: string | null;
  formula: string | null;
  factors: (Schemas['ScoreFactor'] & { explanation_url: string | null })[];
  missing_inputs: { input: string; explanation_url: string }[];
}

export interface PreviewedConsolidation {
  from_date: string;
  to_date: string;
  dates: string[];
  days_changed: number;
  metrics: {
    metric: Schemas['MetricId'];
    unit: Schemas['Unit'];
    days_changed: number;
    days_gained: number;
    days_lost: number;
    mean_change: number | null;
    largest_change: { date: string; before: number; after: number } | null;
    before: (number | null)[];
    after: (number | null)[];
  }[];
}

export interface LaterV1Paths {
  '/v1/users/{id}/daily/{date}/{metric}/explanation': {
    get: {
      parameters: Omit<NoParameters, 'path'> & { path: { id: string; date: string; metric: string } };
      responses: { 200: Json<{ data: MetricExplanation | ScoreExplanation }> };
    };
  };
  '/v1/users/{id}/consolidation/preview': {
    post: {
      parameters: Omit<NoParameters, 'path'> & { path: { id: string } };
      requestBody: { content: { 'application/json': Schemas['ConsolidationPatch'] } };
      responses: { 200: Json<{ data: PreviewedConsolidation }> };
    };
  };
}
