// Code and commands in a documentation page. The page's script adds a button that copies the text.
import { type Markup, markup } from '../../../shared/platform/markup.ts';

export interface CodeBlock {
  caption: string;
  /** Names the block for screen readers; unique in its page. */
  label: string;
  text: string;
}

/** A long line may have to be scrolled, so the keyboard can reach every block. */
export const renderCodeBlock = ({ caption, label, text }: CodeBlock): Markup =>
  markup`<figure class="code-block"><figcaption><span>${caption}</span></figcaption><pre tabindex="0" role="group" aria-label="${label}"><code>${text.trimEnd()}</code></pre></figure>`;

/** A sentence in which backticks mark code. */
export const renderInlineCode = (text: string): Markup =>
  markup`${text.split('`').map((part, index) => (index % 2 === 1 ? markup`<code>${part}</code>` : part))}`;
