// Turns the values of a form into a request, and into the equivalent curl command.

/**
 * Empty parameters are not sent. In a request that is only displayed, empty required parameters
 * show their example.
 */
export function requestOf(api, operation, values, { examplesForEmpty }) {
  const query = new URLSearchParams();
  const headers = [];
  let path = operation.path;
  const typedOf = (parameter) => values.parameters.get(parameter)?.trim() ?? '';
  const choosing = operation.parameters.some((each) => each.in === 'query' && typedOf(each) !== '');
  const shown = choosing ? [] : (operation.shownParameters ?? []);
  for (const parameter of operation.parameters) {
    const typed = typedOf(parameter);
    const needed = examplesForEmpty && (parameter.required || shown.includes(parameter.name));
    const value = typed === '' && needed ? String(parameter.example ?? '') : typed;
    if (value === '') continue;
    if (parameter.in === 'path') path = path.replace(`{${parameter.name}}`, () => encodeURIComponent(value));
    else if (parameter.in === 'query')
      for (const each of valuesOf(parameter, value)) query.append(parameter.name, each);
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

const valuesOf = (parameter, value) =>
  parameter.schema?.type === 'array' && parameter.explode !== false
    ? value.split(',').map((each) => each.trim())
    : [value];

/**
 * The token stays in the reader's environment, and out of the page, the clipboard and the shell
 * history.
 */
export function curl(request, needsToken) {
  const parts = [
    ...(request.method === 'GET'
      ? [`curl ${quoted(request.url)}`]
      : [`curl -X ${request.method} ${quoted(request.url)}`]),
    ...(needsToken ? ['-H "Authorization: Bearer $DAYBOOK_TOKEN"'] : []),
    ...request.headers.map(([name, value]) => `-H ${quoted(`${name}: ${value}`)}`),
    ...(request.body ? [`--data-raw ${quoted(request.body)}`] : []),
  ];
  return parts.join(' \\\n  ');
}

const quoted = (text) => `'${text.replaceAll("'", "'\\''")}'`;
