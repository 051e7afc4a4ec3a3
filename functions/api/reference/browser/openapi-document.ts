// The parts of an OpenAPI document that the reference shows. In the documents of this service, only
// schemas and headers are references to components.

export interface OpenApiDocument {
  paths?: Readonly<Record<string, PathItem>>;
  security?: readonly SecurityRequirement[];
  components?: {
    schemas?: Readonly<Record<string, DocumentedSchema>>;
    headers?: Readonly<Record<string, Header>>;
  };
}

type SecurityRequirement = Readonly<Record<string, readonly string[]>>;

export const methods = ['get', 'post', 'put', 'patch', 'delete', 'head', 'options'] as const;
export type Method = (typeof methods)[number];

export type PathItem = { readonly [M in Method]?: OperationDefinition } & {
  readonly parameters?: readonly Parameter[];
};

export interface OperationDefinition {
  operationId?: string;
  summary?: string;
  description?: string;
  deprecated?: boolean;
  tags?: readonly string[];
  security?: readonly SecurityRequirement[];
  parameters?: readonly Parameter[];
  requestBody?: Content;
  responses?: Readonly<Record<string, ResponseDefinition>>;
  'x-shown-parameters'?: readonly string[];
}

export interface Parameter {
  name: string;
  in: 'path' | 'query' | 'header' | 'cookie';
  required?: boolean;
  description?: string;
  explode?: boolean;
  example?: unknown;
  schema?: DocumentedSchema;
}

export interface Content {
  content?: Readonly<Record<string, MediaType>>;
}

export interface MediaType {
  schema?: DocumentedSchema;
  example?: unknown;
  examples?: Readonly<Record<string, { value?: unknown }>>;
}

export interface ResponseDefinition extends Content {
  description?: string;
  headers?: Readonly<Record<string, Header>>;
}

export interface Header {
  $ref?: string;
  description?: string;
}

export interface DocumentedSchema {
  $ref?: string;
  type?: string | readonly string[];
  format?: string;
  description?: string;
  anyOf?: readonly DocumentedSchema[];
  oneOf?: readonly DocumentedSchema[];
  allOf?: readonly DocumentedSchema[];
  properties?: Readonly<Record<string, DocumentedSchema>>;
  additionalProperties?: boolean | DocumentedSchema;
  required?: readonly string[];
  items?: DocumentedSchema;
  prefixItems?: readonly DocumentedSchema[];
  enum?: readonly unknown[];
  const?: unknown;
  default?: unknown;
  pattern?: string;
  minimum?: number;
  maximum?: number;
  exclusiveMinimum?: number;
  exclusiveMaximum?: number;
  multipleOf?: number;
  minLength?: number;
  maxLength?: number;
  minItems?: number;
  maxItems?: number;
  uniqueItems?: boolean;
}

export interface DescribedApi {
  document: OpenApiDocument;
  /** The address that the paths are below. */
  base: string;
  /** Whether the session of a colleague counts on its calls, as an API key does. */
  acceptsSession: boolean;
}
