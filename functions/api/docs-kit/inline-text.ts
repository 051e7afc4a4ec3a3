// The Markdown that descriptions use: paragraphs, `code`, and links to pages of this service.

export type InlinePart = string | { code: string } | { label: string; path: string };

export const splitParagraphs = (text: string): string[] =>
  text.split(/\n{2,}/).filter((paragraph) => paragraph.trim() !== '');

/** The path of a link begins with a slash. A link to another host stays text. */
export const parseInlineText = (text: string): InlinePart[] =>
  text.split(/(`[^`]+`|\[[^\]]+\]\([^)\s]+\))/).map((part) => {
    if (/^`.+`$/.test(part)) return { code: part.slice(1, -1) };
    const [, label, path] = /^\[(.+)\]\((\/[\w#-][\w/#-]*)\)$/.exec(part) ?? [];
    return label === undefined || path === undefined ? part : { label, path };
  });
