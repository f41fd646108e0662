/**
 * Renders the API guide as HTML. Supports the Markdown that the guide uses: headings, paragraphs, lists, fenced code,
 * and inline code, emphasis and links.
 */
export function renderGuide(markdown: string): string {
  const blocks: string[] = []
  let lines: string[] = []
  let fence: string | null = null
  const end = () => {
    if (lines.length > 0) blocks.push(renderBlock(lines))
    lines = []
  }
  for (const line of markdown.split('\n')) {
    if (fence !== null) {
      if (line === '```') {
        blocks.push(renderCode(fence, lines))
        lines = []
        fence = null
      } else lines.push(line)
    } else if (line.startsWith('```')) {
      end()
      fence = line.slice(3)
    } else if (line.trim() === '') end()
    else lines.push(line)
  }
  end()
  return page(blocks.join('\n'))
}

/** Content wider than the page scrolls, also by keyboard. */
function renderCode(language: string, lines: string[]): string {
  return `<pre tabindex="0" data-language="${escape(language)}"><code>${escape(lines.join('\n'))}</code></pre>`
}

function renderBlock(lines: string[]): string {
  const [first = ''] = lines
  const [, marks, title] = /^(#{1,3}) (.+)$/.exec(first) ?? []
  if (marks !== undefined && title !== undefined) {
    const level = marks.length
    return `<h${level} id="${anchorOf(title)}">${renderLine(title)}</h${level}>`
  }
  if (first.startsWith('- ')) {
    const items = lines.join('\n').slice(2).split('\n- ')
    return `<ul>${items.map((item) => `<li>${renderLine(item)}</li>`).join('')}</ul>`
  }
  return `<p>${renderLine(lines.join('\n'))}</p>`
}

function anchorOf(title: string): string {
  return title.toLowerCase().replaceAll(/\W+/g, '-')
}

/** Code first: nothing in it is emphasis or a link. */
function renderLine(text: string): string {
  return text
    .split(/(`[^`]+`)/)
    .map((part) =>
      part.startsWith('`') ? `<code>${escape(part.slice(1, -1))}</code>` : renderWords(part),
    )
    .join('')
}

/** Repository files are not served, so links to them become plain text. */
function renderWords(text: string): string {
  return escape(text)
    .replaceAll(/\[([^\]]+)\]\((https:[^)]+)\)/g, '<a href="$2">$1</a>')
    .replaceAll(/\[([^\]]+)\]\([^)]+\)/g, '$1')
    .replaceAll(/\b_([^_]+)_\b/g, '<em>$1</em>')
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
