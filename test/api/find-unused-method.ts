// A method that no route has at the path of a route, in either form of the contract.
import { contract, form1Contract } from '../../functions/api/reference/contract.ts';
import type { Endpoint } from '../../shared/http/endpoint.ts';

const triedMethods = ['PUT', 'PATCH', 'DELETE', 'POST', 'PROPFIND'];

/** Two paths that differ only in the names of their parameters are one path. */
const shapeOf = ({ route }: Endpoint): string => route.path.replaceAll(/\{[^}]*\}/g, '{}');

export function findUnusedMethod(endpoint: Endpoint): string {
  const atPath = [...contract, ...form1Contract].filter((each) => shapeOf(each) === shapeOf(endpoint));
  const used = new Set(atPath.map(({ route }) => route.method.toUpperCase()));
  const unused = triedMethods.find((method) => !used.has(method));
  if (unused === undefined) throw new Error(`${endpoint.route.path} has every method that this test can send`);
  return unused;
}
