// Adds a copy button to each code block. Without a script, the text can be selected.
import { createCopyButton } from '../../docs-kit/browser/code-block.ts';
import { findElement } from '../../docs-kit/browser/dom.ts';

for (const block of document.querySelectorAll('.code-block')) {
  const label = findElement('pre', HTMLElement, block).getAttribute('aria-label') ?? 'code';
  findElement('figcaption', HTMLElement, block).append(
    createCopyButton(label, findElement('code', HTMLElement, block)),
  );
}
