import { expect, test } from 'vitest'
import { renderGuide } from './render-guide.ts'

const render = (markdown: string) =>
  (/<main class="guide">\n(.*)\n<\/main>/s.exec(renderGuide(markdown)) ?? [])[1]

test('headings can be linked to, and lines of a paragraph stay one', () => {
  expect(render('## What a number rests on\n\none\ntwo')).toBe(
    '<h2 id="what-a-number-rests-on">What a number rests on</h2>\n<p>one\ntwo</p>',
  )
})

test('code is shown as it stands: nothing in it is a heading, a link or a tag', () => {
  expect(render('```sh\n# <b>[a](https://b.example)</b>\n\n- "x" && y\n```')).toBe(
    '<pre tabindex="0" data-language="sh"><code># &lt;b&gt;[a](https://b.example)&lt;/b&gt;\n\n- &quot;x&quot; &amp;&amp; y</code></pre>',
  )
  expect(render('see `predicted_kd_` and `<a>`')).toBe(
    '<p>see <code>predicted_kd_</code> and <code>&lt;a&gt;</code></p>',
  )
})

test('links lead out, and of those to files of the repository the words stay', () => {
  expect(render('- [jq](https://jqlang.org), _here_\n- [client](../clients/README.md)')).toBe(
    '<ul><li><a href="https://jqlang.org">jq</a>, <em>here</em></li><li>client</li></ul>',
  )
  expect(render('[x](javascript:alert)')).toBe('<p>x</p>')
})
