/** Renders the API guide as HTML, with heading ids, wide code that scrolls, and no links to files that are not served. */
import { Marked } from 'marked'

const marked = new Marked({
  renderer: {
    heading({ tokens, depth, text }) {
      return `<h${depth} id="${anchorOf(text)}">${this.parser.parseInline(tokens)}</h${depth}>\n`
    },
    // Scrolls by keyboard as well.
    code({ text, lang = '' }) {
      return `<pre tabindex="0" data-language="${escape(lang)}"><code>${escape(text)}</code></pre>\n`
    },
    link({ href, tokens }) {
      const text = this.parser.parseInline(tokens)
      // The page ends with the columns.
      const to = href === 'columns.md' ? '#columns-of-results' : href
      return /^(?:https:|#)/.test(to) ? `<a href="${escape(to)}">${text}</a>` : text
    },
  },
})

export function renderGuide(markdown: string): string {
  return page(marked.parse(markdown, { async: false }))
}

function anchorOf(title: string): string {
  return title.toLowerCase().replaceAll(/\W+/g, '-')
}

function escape(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
}

function page(content: string): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>API guide · pKdex</title>
<link rel="icon" type="image/svg+xml" href="/docs/static/theme/mark.svg">
<link rel="stylesheet" href="/docs/static/theme/api-pages.css">
</head>
<body>
<main class="guide">
${content}
</main>
<script src="/docs/static/theme/api-pages.js"></script>
</body>
</html>
`
}
