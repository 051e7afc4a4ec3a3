// Adds a copy button to each code block. Without a script, the text can be selected.
import { createCopyButton } from '../../docs-kit/assets/dom.js';

for (const block of document.querySelectorAll('.code-block')) {
  const label = block.querySelector('pre').getAttribute('aria-label');
  block.querySelector('figcaption').append(createCopyButton(label, block.querySelector('code')));
}
