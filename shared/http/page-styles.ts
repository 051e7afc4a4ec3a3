// The styles of pages for end users: the colors and fonts of the documentation, in one narrow
// column.

export const pageStyles = `
:root {
  color-scheme: light dark;
  --paper: light-dark(#fcfbf8, #15181a);
  --raised: light-dark(#f4f2ec, #1c2023);
  --well: light-dark(#ffffff, #101315);
  --line: light-dark(#e4e0d6, #2c3236);
  --line-strong: light-dark(#8c877b, #6d767c);
  --ink: light-dark(#20261f, #e7e4dc);
  --soft: light-dark(#5a6058, #a5aaa6);
  --accent: light-dark(#1d5c4d, #7cc4ae);
  --on-accent: light-dark(#ffffff, #0e1f1a);
  --green: light-dark(#1d6b4a, #7fcca4);
  --amber: light-dark(#8a5200, #e3b368);
  --red: light-dark(#a8322a, #f0958c);
  --serif: "Iowan Old Style", "Palatino Linotype", Palatino, "Source Serif 4", Charter, Georgia, serif;
  --sans: Inter, "Segoe UI", system-ui, -apple-system, sans-serif;
}
*, *::before, *::after { box-sizing: border-box; }
html { text-size-adjust: 100%; }
body {
  margin: 0;
  background: var(--paper);
  color: var(--ink);
  font: 400 1rem / 1.6 var(--sans);
  overflow-wrap: anywhere;
}
h1, h2, h3, p, ul, dl, dd, fieldset { margin: 0; padding: 0; }
ul { list-style: none; }
main, .wordmark { max-width: 36rem; margin: 0 auto; padding: 0 1.25rem; }
body > header { border-bottom: 1px solid var(--line); }
main { padding-top: 2.5rem; padding-bottom: 4rem; }
.wordmark { display: flex; height: 3.5rem; align-items: center; gap: 0.5rem; font: 600 1.25rem / 1 var(--serif); }
.wordmark svg { width: 1.625rem; fill: none; stroke: var(--accent); stroke-width: 2; stroke-linecap: round; }
h1 { font: 500 clamp(1.75rem, 6vw, 2.25rem) / 1.2 var(--serif); letter-spacing: -0.01em; text-wrap: balance; }
h2 { margin-top: 2.5rem; font: 500 1.3125rem / 1.3 var(--serif); }
p + p, .lead { margin-top: 0.875rem; }
.lead { font-size: 1.0625rem; }
.muted { color: var(--soft); }
.small { font-size: 0.9375rem; }
a { color: var(--accent); text-underline-offset: 0.2em; }
:focus-visible { outline: 3px solid var(--accent); outline-offset: 2px; border-radius: 6px; }
.visually-hidden { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); }
.icon { display: grid; place-items: center; width: 3rem; height: 3rem; margin-bottom: 1.25rem; border-radius: 50%; background: var(--raised); }
.icon svg { width: 1.5rem; fill: none; stroke: currentcolor; stroke-width: 2.25; stroke-linecap: round; stroke-linejoin: round; }
.success { color: var(--green); }
.error { color: var(--red); }
.warning { color: var(--amber); }
.notice { margin-bottom: 1.75rem; padding: 0.75rem 1rem; background: var(--raised); border-left: 3px solid var(--amber); border-radius: 0 6px 6px 0; }
.notice-success { border-left-color: var(--green); }
.cards { margin-top: 1rem; border: 1px solid var(--line); border-radius: 10px; background: var(--well); }
.cards > li { display: flex; flex-wrap: wrap; align-items: center; gap: 0.625rem 0.75rem; padding: 0.875rem 1rem; }
.cards > li + li { border-top: 1px solid var(--line); }
.cards .card-text { flex: 1 1 12rem; min-width: 0; }
.available-providers .card-text { flex-basis: 7rem; }
.mark { display: grid; flex: none; place-items: center; width: 2rem; height: 2rem; border-radius: 50%; color: #ffffff; font-weight: 600; line-height: 1; }
.mark-0 { background: #1d5c4d; }
.mark-1 { background: #7a3b12; }
.mark-2 { background: #2a4f87; }
.mark-3 { background: #7b2d5b; }
.mark-4 { background: #5b3f9e; }
.mark-5 { background: #8a2f2f; }
.cards h3 { font-size: 1rem; font-weight: 600; line-height: 1.4; }
.cards .card-text p { margin: 0.125rem 0 0; color: var(--soft); font-size: 0.9375rem; line-height: 1.45; }
.cards .card-text .warning { color: var(--amber); }
progress { display: block; width: 100%; height: 0.375rem; margin-top: 0.5rem; accent-color: var(--accent); }
.actions { display: flex; flex-wrap: wrap; gap: 0.75rem; margin-top: 2rem; }
button, .button {
  display: inline-block;
  min-height: 2.75rem;
  padding: 0.5625rem 1.125rem;
  border: 1px solid var(--line-strong);
  border-radius: 8px;
  background: var(--well);
  color: var(--ink);
  font: 500 1rem / 1.5 var(--sans);
  text-align: center;
  text-decoration: none;
  cursor: pointer;
}
button:hover, .button:hover { border-color: var(--ink); }
.primary { background: var(--accent); border-color: var(--accent); color: var(--on-accent); }
.danger { background: var(--red); border-color: var(--red); color: var(--on-accent); }
fieldset { border: 0; }
legend { padding: 0; font-weight: 600; }
label { cursor: pointer; }
input[type="radio"], input[type="checkbox"] { width: 1.125rem; height: 1.125rem; margin: 0; accent-color: var(--accent); }
select, input[type="text"] { width: 100%; min-height: 2.75rem; padding: 0.5rem 0.75rem; background: var(--well); border: 1px solid var(--line-strong); border-radius: 8px; color: inherit; font: inherit; }
.footer { margin-top: 2.5rem; padding-top: 1rem; border-top: 1px solid var(--line); color: var(--soft); font-size: 0.9375rem; }
@media (max-width: 30rem) {
  .actions > *, .actions button { width: 100%; }
}
`;
