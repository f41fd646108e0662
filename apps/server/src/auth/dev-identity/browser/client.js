/**
 * The script of the development identity provider: the part of `google.accounts.id` that a page uses, with an account
 * chooser in its own window. It calls the same callbacks as Google's script, with the same data.
 */
;(() => {
  const CHOOSER = '/dev/identity/chooser.html'
  /** @type {{ client_id: string, nonce?: string, callback: (answer: object) => void } | null} */
  let settings = null
  /** @type {Window | null} */
  let chooser = null
  let isChosen = false

  addEventListener('message', (event) => {
    if (event.origin !== location.origin || event.source !== chooser || settings === null) return
    if (event.data?.kind !== 'pkdex-stand-in') return
    isChosen = true
    settings.callback({ credential: event.data.credential, select_by: 'user' })
  })

  /** @param {(moment: object) => void} [onMoment] */
  function prompt(onMoment) {
    if (settings === null) throw new Error('google.accounts.id.initialize() comes first')
    isChosen = false
    const query = new URLSearchParams({ nonce: settings.nonce ?? '' })
    chooser = open(`${CHOOSER}?${query}`, 'pkdex-stand-in', 'popup,width=420,height=560')
    if (chooser === null) return onMoment?.(momentOf('not displayed'))
    onMoment?.(momentOf('displayed'))
    watch(chooser, onMoment)
  }

  /**
   * Reports when the window is closed without a choice.
   * @param {Window} opened
   * @param {(moment: object) => void} [onMoment]
   */
  function watch(opened, onMoment) {
    const timer = setInterval(() => {
      if (!opened.closed) return
      clearInterval(timer)
      if (opened === chooser) onMoment?.(momentOf(isChosen ? 'dismissed' : 'skipped'))
    }, 300)
  }

  /** @param {'displayed' | 'not displayed' | 'skipped' | 'dismissed'} kind */
  function momentOf(kind) {
    return {
      isDisplayMoment: () => kind === 'displayed' || kind === 'not displayed',
      isDisplayed: () => kind === 'displayed',
      isNotDisplayed: () => kind === 'not displayed',
      getNotDisplayedReason: () => (kind === 'not displayed' ? 'unknown_reason' : undefined),
      isSkippedMoment: () => kind === 'skipped',
      getSkippedReason: () => (kind === 'skipped' ? 'user_cancel' : undefined),
      isDismissedMoment: () => kind === 'dismissed',
      getDismissedReason: () => (kind === 'dismissed' ? 'credential_returned' : undefined),
    }
  }

  /** @param {HTMLElement} parent */
  function renderButton(parent) {
    const button = document.createElement('button')
    button.type = 'button'
    button.textContent = 'Sign in with Google'
    button.addEventListener('click', () => prompt())
    parent.replaceChildren(button)
  }

  const id = {
    /** @param {typeof settings} given */
    initialize(given) {
      settings = given
    },
    prompt,
    renderButton,
    disableAutoSelect() {},
    cancel() {
      chooser?.close()
    },
  }
  globalThis.google = { accounts: { id } }
})()
