// The operations of the document, as the reference shows them.
import {
  type Content,
  type DescribedApi,
  type DocumentedSchema,
  type Method,
  methods,
  type OperationDefinition,
  type Parameter,
  type ResponseDefinition,
} from './openapi-document.ts';

export interface ShownExample {
  name: string;
  value: unknown;
}

export interface ShownContent {
  type: string;
  schema: DocumentedSchema;
  isJson: boolean;
  examples: readonly ShownExample[];
}

export interface ShownResponse extends Pick<ResponseDefinition, 'description' | 'headers'> {
  status: string;
  content: ShownContent | undefined;
}

export interface ShownOperation {
  id: string;
  path: string;
  method: Method;
  summary: string;
  description: string | undefined;
  deprecated: boolean;
  tag: string;
  /** Which credentials are accepted; empty if none is needed. */
  callers: readonly string[];
  /** For a call whose parameters only make sense together, those of its first variant. */
  shownParameters: readonly string[];
  parameters: readonly Parameter[];
  body: ShownContent | undefined;
  responses: readonly ShownResponse[];
}

export function listOperations(api: DescribedApi): ShownOperation[] {
  return Object.entries(api.document.paths ?? {}).flatMap(([path, item]) =>
    methods.flatMap((method) => {
      const definition = item[method];
      return definition ? [describeOperation(api, path, method, definition, item.parameters ?? [])] : [];
    }),
  );
}

function describeOperation(
  api: DescribedApi,
  path: string,
  method: Method,
  definition: OperationDefinition,
  sharedParameters: readonly Parameter[],
): ShownOperation {
  return {
    id: definition.operationId ?? `${method}-${path.replaceAll(/[^a-z0-9]+/gi, '-')}`,
    path,
    method,
    summary: definition.summary ?? `${method.toUpperCase()} ${path}`,
    description: definition.description,
    deprecated: definition.deprecated === true,
    tag: definition.tags?.[0] ?? 'Other',
    callers: (definition.security ?? api.document.security ?? []).flatMap((requirement) => Object.keys(requirement)),
    shownParameters: definition['x-shown-parameters'] ?? [],
    parameters: [...sharedParameters, ...(definition.parameters ?? [])],
    body: definition.requestBody && findContent(definition.requestBody),
    responses: Object.entries(definition.responses ?? {}).map(([status, response]) => ({
      ...response,
      status,
      content: findContent(response),
    })),
  };
}

/** The first kind of content that the document names. */
function findContent({ content = {} }: Content): ShownContent | undefined {
  const [type, mediaType] = Object.entries(content)[0] ?? [];
  if (type === undefined || mediaType === undefined) return undefined;
  const { schema = {}, example, examples = {} } = mediaType;
  const namedExamples = Object.entries(examples).map(([name, { value }]) => ({ name, value }));
  return {
    type,
    schema,
    isJson: /[/+]json\b/.test(type),
    examples: example === undefined ? namedExamples : [{ name: 'example', value: example }, ...namedExamples],
  };
}

/** What the reader enters into the form of an operation. */
export interface EnteredValues {
  parameters: Map<Parameter, string>;
  body: string;
}

/** The form's values before the reader enters anything. */
export const createInitialValues = ({ body }: Pick<ShownOperation, 'body'>): EnteredValues => ({
  parameters: new Map(),
  body: formatExample(body?.examples[0]?.value),
});

function formatExample(example: unknown): string {
  if (example === undefined) return '';
  return typeof example === 'string' ? example : JSON.stringify(example, undefined, 2);
}
