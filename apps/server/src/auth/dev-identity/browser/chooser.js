/** The account chooser: remembers accounts in this browser, gets an ID token, and passes it to the page that opened it. */
const STORED = 'pkdex-stand-in-accounts'
const ACCOUNTS_MAX = 5
const suggestion = { email: 'chemist@example.org', name: 'Test Chemist' }

const list = /** @type {HTMLElement} */ (document.querySelector('#accounts'))
const form = /** @type {HTMLFormElement} */ (document.querySelector('#other'))
const failure = /** @type {HTMLElement} */ (document.querySelector('#failure'))

/** @typedef {{ email: string, name: string }} Account */

/** @returns {Account[]} */
function readAccounts() {
  try {
    const stored = JSON.parse(localStorage.getItem(STORED) ?? '')
    return Array.isArray(stored) && stored.length > 0 ? stored : [suggestion]
  } catch {
    return [suggestion]
  }
}

/** @param {Account} account */
function remember(account) {
  const others = readAccounts().filter(({ email }) => email !== account.email)
  localStorage.setItem(STORED, JSON.stringify([account, ...others].slice(0, ACCOUNTS_MAX)))
}

/** @param {Account} account */
async function choose(account) {
  failure.textContent = ''
  const nonce = new URLSearchParams(location.search).get('nonce') || undefined
  try {
    const answer = await fetch('token', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ ...account, nonce }),
    })
    const body = await answer.json()
    if (!answer.ok) throw new Error(body.message)
    remember(account)
    // Only a page of this origin may have opened this window, and only it may receive the token.
    opener?.postMessage({ kind: 'pkdex-stand-in', credential: body.id_token }, location.origin)
    close()
  } catch (error) {
    failure.textContent = error instanceof Error ? error.message : 'Sign-in failed.'
  }
}

for (const account of readAccounts()) {
  const button = document.createElement('button')
  button.type = 'button'
  button.textContent = account.name ? `${account.name} (${account.email})` : account.email
  button.addEventListener('click', () => void choose(account))
  const item = document.createElement('li')
  item.append(button)
  list.append(item)
}

form.addEventListener('submit', (event) => {
  event.preventDefault()
  void choose({ email: valueOf('email'), name: valueOf('name') })
})
form.querySelector('button')?.removeAttribute('disabled')

/** @param {string} name */
function valueOf(name) {
  const input = form.elements.namedItem(name)
  return input instanceof HTMLInputElement ? input.value : ''
}
