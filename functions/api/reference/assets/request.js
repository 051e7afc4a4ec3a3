// Turns the values of a form into a request, and into the equivalent curl command.

/**
 * Empty parameters are not sent. In a request that is only displayed, empty required parameters
 * show their example.
 */
export function buildRequest(api, operation, values, { shouldFillExamples }) {
  const query = new URLSearchParams();
  const headers = [];
  let path = operation.path;
  const readEntered = (parameter) => values.parameters.get(parameter)?.trim() ?? '';
  const hasQuery = operation.parameters.some((item) => item.in === 'query' && readEntered(item) !== '');
  const parametersWithExample = hasQuery ? [] : (operation.shownParameters ?? []);
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

const splitValues = (parameter, value) =>
  parameter.schema?.type === 'array' && parameter.explode !== false
    ? value.split(',').map((item) => item.trim())
    : [value];

/**
 * The token stays in the reader's environment, and out of the page, the clipboard and the shell
 * history.
 */
export function buildCurlCommand(request, needsToken) {
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

const quoteForShell = (text) => `'${text.replaceAll("'", "'\\''")}'`;
