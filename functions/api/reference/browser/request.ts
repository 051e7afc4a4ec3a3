// Turns the values of a form into a request, and into the equivalent curl command.
import type { DescribedApi, Parameter } from './openapi-document.ts';
import type { EnteredValues, ShownOperation } from './operations.ts';

export interface BuiltRequest {
  method: string;
  url: string;
  headers: [name: string, value: string][];
  body: string | undefined;
}

type RequestedOperation = Pick<ShownOperation, 'method' | 'path' | 'parameters' | 'shownParameters' | 'body'>;

/**
 * Empty parameters are not sent. In a request that is only displayed, empty required parameters
 * show their example.
 */
export function buildRequest(
  api: Pick<DescribedApi, 'base'>,
  operation: RequestedOperation,
  values: EnteredValues,
  { shouldFillExamples }: { shouldFillExamples: boolean },
): BuiltRequest {
  const query = new URLSearchParams();
  const headers: BuiltRequest['headers'] = [];
  let path = operation.path;
  const readEntered = (parameter: Parameter): string => values.parameters.get(parameter)?.trim() ?? '';
  const hasQuery = operation.parameters.some((item) => item.in === 'query' && readEntered(item) !== '');
  const parametersWithExample = hasQuery ? [] : operation.shownParameters;
  for (const parameter of operation.parameters) {
    const entered = readEntered(parameter);
    const needsExample = shouldFillExamples && (parameter.required || parametersWithExample.includes(parameter.name));
    const value = entered === '' && needsExample ? String(parameter.example ?? '') : entered;
    if (value === '') continue;
    if (parameter.in === 'path') path = path.replace(`{${parameter.name}}`, () => encodeURIComponent(value));
    else if (parameter.in === 'query')
      for (const item of splitValues(parameter, value)) query.append(parameter.name, item);
    else if (parameter.in === 'header') headers.push([parameter.name, value]);
  }
  const search = query.size === 0 ? '' : `?${query}`;
  if (operation.body) headers.push(['Content-Type', operation.body.type]);
  return {
    method: operation.method.toUpperCase(),
    url: `${api.base}${path.replace(/^\//, '')}${search}`,
    headers,
    body: operation.body ? values.body : undefined,
  };
}

const splitValues = (parameter: Parameter, value: string): string[] =>
  parameter.schema?.type === 'array' && parameter.explode !== false
    ? value.split(',').map((item) => item.trim())
    : [value];

/**
 * The token stays in the reader's environment, and out of the page, the clipboard and the shell
 * history.
 */
export function buildCurlCommand(request: BuiltRequest, needsToken: boolean): string {
  const parts = [
    ...(request.method === 'GET'
      ? [`curl ${quoteForShell(request.url)}`]
      : [`curl -X ${request.method} ${quoteForShell(request.url)}`]),
    ...(needsToken ? ['-H "Authorization: Bearer $DAYBOOK_TOKEN"'] : []),
    ...request.headers.map(([name, value]) => `-H ${quoteForShell(`${name}: ${value}`)}`),
    ...(request.body ? [`--data-raw ${quoteForShell(request.body)}`] : []),
  ];
  return parts.join(' \\\n  ');
}

const quoteForShell = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;
