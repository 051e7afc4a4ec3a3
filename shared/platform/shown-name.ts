// Makes a name that the sender chose safe to repeat in a message: it may be as long as the request.

const maxShownLength = 40;

/** A short line of visible characters. */
export function toShownName(name: string): string {
  const visible = name.replace(/[\p{C}\p{Zl}\p{Zp}`]/gu, '\ufffd');
  const characters = [...visible.slice(0, 2 * maxShownLength + 1)];
  return characters.length > maxShownLength ? `${characters.slice(0, maxShownLength).join('')}…` : visible;
}
