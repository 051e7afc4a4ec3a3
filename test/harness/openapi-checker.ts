// Validates every response of a test against the OpenAPI document that the service serves. Pages and
// what providers call are not in it: those are validated against a document of their routes.
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { contract, tags } from '../../functions/api/reference/contract.ts';
import { isDocumented } from '../../shared/http/endpoint.ts';
import { buildOpenApiDocument } from '../../shared/http/openapi.ts';
import { compareLiteralFirst, matchPath } from '../../shared/http/path-template.ts';

interface CheckedResponse {
  status: number;
  headers: Headers;
  text: string;
  body: unknown;
}
interface Operation {
  responses: Record<string, { content?: Record<string, MediaType> }>;
}
interface MediaType {
  /** A failure has one example for each of its codes, under the name of the code. */
  examples?: Record<string, unknown>;
}
interface Document {
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, object> };
}

const requiredHeaders = ['x-request-id', 'ratelimit-policy', 'ratelimit'];
/** A status that every read may return without documenting it: what the caller has is current. */
const notModified = 304;

export type DocumentChecker = ReturnType<typeof createChecker>;

/** Systems in one process that serve the same document share its compiled validators. */
const checkers = new Map<string, DocumentChecker>();

export async function documentChecker(
  baseUrl: string,
  name: 'openapi.json' | 'openapi.form1.json' | 'openapi.console.json',
): Promise<DocumentChecker> {
  const text = (await (await fetch(`${baseUrl}/${name}`)).text()).replaceAll(baseUrl, 'http://daybook.example');
  const checker = checkers.get(text) ?? createChecker(addUndocumentedPaths(JSON.parse(text)));
  checkers.set(text, checker);
  return checker;
}

/** The routes that the service serves without documenting them. */
function addUndocumentedPaths(served: Document): Document {
  const info = { version: '1.0.0', serverUrl: 'http://daybook.example', description: '', tags };
  const built = buildOpenApiDocument(contract, info, (endpoint) => !isDocumented(endpoint));
  const { paths, components }: Document = JSON.parse(JSON.stringify(built));
  const both = Object.keys(paths).filter((path) => path in served.paths);
  if (both.length > 0) throw new Error(`${both.join(', ')} must not be in the served OpenAPI document`);
  return {
    ...served,
    paths: { ...served.paths, ...paths },
    components: { ...served.components, schemas: { ...components.schemas, ...served.components.schemas } },
  };
}

export function createChecker(document: Document) {
  const ajv = new Ajv2020({ strict: false, allErrors: true, validateFormats: true });
  addFormats.default(ajv);
  ajv.addSchema(forbidUnknownFields(document), 'doc');

  return (method: string, pathAndQuery: string, checked: CheckedResponse): void => {
    const where = `${method} ${pathAndQuery} ${checked.status}`;
    for (const name of requiredHeaders) if (!checked.headers.has(name)) throw new Error(`${where}: no ${name} header`);
    const path = pathAndQuery.split('?')[0] ?? '';
    const template = templateFor(Object.keys(document.paths), path);
    const operation = template === undefined ? undefined : document.paths[template]?.[method.toLowerCase()];
    const response = operation?.responses[checked.status];
    if (!response) {
      if (operation && checked.status !== notModified) throw new Error(`${where} is not in the OpenAPI document`);
      // Without an operation, the path is unknown or does not support the method.
      if (checked.status >= 400) expectMatch('#/components/schemas/ErrorResponse', where, checked.body);
      return;
    }
    const types = Object.keys(response.content ?? {});
    if (types.length === 0) {
      if (checked.text !== '') throw new Error(`${where}: the response has a body, but none is documented`);
      return;
    }
    const type = checked.headers.get('content-type') ?? '';
    if (!types.includes(type)) throw new Error(`${where}: ${type}`);
    if (type !== 'application/json') return;
    const pointer = [
      'paths',
      template ?? '',
      method.toLowerCase(),
      'responses',
      String(checked.status),
      'content',
      type,
      'schema',
    ];
    expectMatch(
      `#/${pointer.map((part) => encodeURIComponent(part.replaceAll('~', '~0').replaceAll('/', '~1'))).join('/')}`,
      where,
      checked.body,
    );
    if (checked.status >= 400)
      expectDocumentedCode(Object.keys(response.content?.[type]?.examples ?? {}), where, checked);
  };

  function expectMatch(pointer: string, where: string, body: unknown): void {
    const validate = ajv.getSchema(`doc${pointer}`);
    if (!validate) throw new Error(`${where}: ${pointer} is missing from the OpenAPI document`);
    if (!validate(body))
      throw new Error(
        `${where} does not match its schema: ${ajv.errorsText(validate.errors)}\n${JSON.stringify(body)}`,
      );
  }
}

function expectDocumentedCode(codes: readonly string[], where: string, { body, text }: CheckedResponse): void {
  const code = typeof body === 'object' && body !== null && 'error' in body ? body.error : undefined;
  if (typeof code === 'string' && codes.includes(code)) return;
  const documented = codes.length === 0 ? 'no code' : codes.join(' and ');
  throw new Error(`${where}: the OpenAPI document has ${documented} for this status, not ${code}\n${text}`);
}

/**
 * The document allows additional fields in responses for future extensions. Here, an undocumented
 * field is an error.
 */
function forbidUnknownFields<T>(schema: T): T {
  if (typeof schema !== 'object' || schema === null) return schema;
  if (Array.isArray(schema)) return schema.map(forbidUnknownFields) as T;
  const inner = Object.fromEntries(Object.entries(schema).map(([name, value]) => [name, forbidUnknownFields(value)]));
  const isOpen = 'properties' in inner && inner['type'] === 'object' && !('additionalProperties' in inner);
  return (isOpen ? { ...inner, additionalProperties: false } : inner) as T;
}

/** Literal segments take precedence over parameters, as in the gateway. */
export const templateFor = (templates: string[], path: string): string | undefined =>
  templates.filter((template) => matchPath(template, path)).sort(compareLiteralFirst)[0];
