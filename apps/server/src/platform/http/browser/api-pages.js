// The header of the pages about the API, and the colour theme selected in the product, or else the system's.
const isDark = matchMedia('(prefers-color-scheme: dark)')

function followScheme() {
  let stored = null
  try {
    stored = localStorage.getItem('pkdex-color-scheme')
  } catch {
    // Storage is blocked: the system's preference decides.
  }
  const dark = stored === 'dark' || (stored !== 'light' && isDark.matches)
  document.documentElement.classList.toggle('dark-mode', dark)
}

function linkTo(address, ...content) {
  const link = document.createElement('a')
  link.href = address
  link.append(...content)
  return link
}

function makeHead() {
  const mark = document.createElement('img')
  mark.src = '/docs/static/theme/mark.svg'
  mark.alt = ''
  mark.width = 28
  mark.height = 28
  const home = linkTo('/', mark, 'pKdex')
  home.className = 'home'
  const nav = document.createElement('nav')
  nav.ariaLabel = 'API documentation'
  nav.append(
    linkTo('/docs', 'All calls'),
    linkTo('/docs/guide', 'Guide'),
    linkTo('/openapi.json', 'openapi.json'),
  )
  for (const link of nav.children) {
    if (link.pathname === location.pathname.replace(/\/$/, '')) link.ariaCurrent = 'page'
  }
  const head = document.createElement('header')
  head.className = 'api-head'
  head.append(home, nav)
  return head
}

function makeFoot() {
  const foot = document.createElement('footer')
  foot.className = 'api-foot'
  // The server fills in the version.
  foot.textContent = 'pKdex {version}'
  return foot
}

function readAtPhoneWidth() {
  if (document.querySelector('meta[name=viewport]')) return
  const meta = document.createElement('meta')
  meta.name = 'viewport'
  meta.content = 'width=device-width, initial-scale=1'
  document.head.append(meta)
}

/** Labels the library's parts for screen readers where the library does not; groups come right below the title. */
function nameParts(page) {
  if (!page) return
  new MutationObserver(() => {
    for (const title of page.querySelectorAll('h3.opblock-tag, .models h4')) title.ariaLevel = '2'
    for (const [part, label] of [
      ['.information-container', 'About'],
      ['.scheme-container', 'Keys'],
    ]) {
      const region = page.querySelector(part)
      if (!region) continue
      region.role = 'region'
      region.ariaLabel = label
    }
  }).observe(page, { childList: true, subtree: true })
}

readAtPhoneWidth()
followScheme()
isDark.addEventListener('change', followScheme)
addEventListener('storage', followScheme)
document.body.prepend(makeHead())
document.body.append(makeFoot())
nameParts(document.getElementById('swagger-ui'))
