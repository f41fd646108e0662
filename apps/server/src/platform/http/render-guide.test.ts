import { expect, test } from 'vitest'
import { renderGuide } from './render-guide.ts'

const render = (markdown: string) =>
  (/<main class="guide">\n(.*?)\n*<\/main>/s.exec(renderGuide(markdown)) ?? [])[1]

test('headings have ids, and lines of a paragraph stay together', () => {
  expect(render('## Similar training compounds\n\none\ntwo')).toBe(
    '<h2 id="similar-training-compounds">Similar training compounds</h2>\n<p>one\ntwo</p>',
  )
})

test('Markdown and tags inside code are not rendered', () => {
  expect(render('```sh\n# <b>[a](https://b.example)</b>\n\n- "x" && y\n```')).toBe(
    '<pre tabindex="0" data-language="sh"><code># &lt;b&gt;[a](https://b.example)&lt;/b&gt;\n\n- &quot;x&quot; &amp;&amp; y</code></pre>',
  )
  expect(render('see `predicted_kd_` and `<a>`')).toBe(
    '<p>see <code>predicted_kd_</code> and <code>&lt;a&gt;</code></p>',
  )
})

test('external links are kept; links to repository files become plain text', () => {
  expect(render('- [jq](https://jqlang.org), _here_\n- [client](../clients/README.md)')).toBe(
    '<ul>\n<li><a href="https://jqlang.org">jq</a>, <em>here</em></li>\n<li>client</li>\n</ul>',
  )
  expect(render('[x](javascript:alert)')).toBe('<p>x</p>')
})

test('bold words and tables are rendered', () => {
  expect(render('**API keys**')).toBe('<p><strong>API keys</strong></p>')
  expect(render('| n | RMSE |\n|---|---|\n| 9 | 0.96 |')).toContain('<td>0.96</td>')
})
