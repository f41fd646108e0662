/** Comments are plain text; only http and https addresses are links. */
import { screen } from '@testing-library/react'
import { expect, test } from 'vitest'
import { renderScreen } from '#web/test/screen.tsx'
import { LinkedText, splitLinks } from './linked-text.tsx'

const linksIn = (text: string) =>
  splitLinks(text).flatMap(({ text: part, isLink }) => (isLink ? [part] : []))

test.each([
  ['See https://example.org/a?b=c#d, please.', ['https://example.org/a?b=c#d']],
  ['(https://example.org/a)', ['https://example.org/a']],
  ['https://en.wikipedia.org/wiki/MET_(gene)', ['https://en.wikipedia.org/wiki/MET_(gene)']],
  ['HTTP://EXAMPLE.ORG and http://b.example!', ['HTTP://EXAMPLE.ORG', 'http://b.example']],
  ['https://a.example\nhttps://b.example', ['https://a.example', 'https://b.example']],
  ['“https://a.example”', ['https://a.example']],
])('%j has the links %j', (text, links) => {
  expect(linksIn(text)).toEqual(links)
})

test.each([
  'javascript:alert(1)',
  'JaVaScRiPt://https:alert(1)',
  'data:text/html,<script>alert(1)</script>',
  'vbscript:x ftp://example.org file:///etc/passwd //example.org www.example.org',
  'xhttps://example.org',
  'https:// http://',
])('SPEC 36.2: attack: %j has no link', (text) => {
  expect(linksIn(text)).toEqual([])
})

test.each(['a https://x.example b', 'https://x.example.', '\n\n', 'https://[ broken'])(
  'nothing of %j is lost',
  (text) => {
    const parts = splitLinks(text)
    expect(parts.map((part) => part.text).join('')).toBe(text)
  },
)

test('attack: markup is shown as it was typed, and an address cannot leave its attribute', () => {
  const text = '<b onclick=alert(1)>x</b> https://x.example/"onmouseover="alert(1)'
  renderScreen(<LinkedText text={text} />)
  const link = screen.getByRole('link')
  expect(link.closest('p')?.textContent).toBe(text)
  expect(link.closest('p')?.querySelectorAll('*')).toHaveLength(1)
  expect(link.getAttribute('href')).toBe('https://x.example/')
  expect(link.getAttribute('rel')).toBe('noopener noreferrer')
})

test('attack: a long text of almost links is split at once', () => {
  const text = 'http://'.repeat(570)
  const since = performance.now()
  splitLinks(`${text} ${'https://a.b)'.repeat(300)} ${`https://x${')'.repeat(3900)}`}`)
  expect(performance.now() - since).toBeLessThan(200)
})
