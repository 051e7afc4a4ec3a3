// Names of the map turned into names of CloudFormation.

/** `fan-out` and `fanOut` both become `FanOut`. */
export const toPascalCase = (name: string): string =>
  name
    .split(/[^A-Za-z0-9]+/)
    .filter((word) => word !== '')
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join('');

/** Object.entries that keeps the key type; true for the map's object literals, which have no further keys. */
export const typedEntries = <Name extends string, Spec>(
  record: Readonly<Partial<Record<Name, Spec>>>,
): [Name, Spec][] => Object.entries(record) as [Name, Spec][];
