// Sets what the first paint depends on: light or dark, whether the sign-in screen will follow, and whether the font may come before the script. A file of its own, because the page's policy allows no inline script.
;(function () {
  var stored = null
  var isSignedOut = true
  try {
    stored = localStorage.getItem('pkdex-color-scheme')
    isSignedOut =
      localStorage.getItem('API-key') === null && sessionStorage.getItem('API-key.parked') === null
  } catch {
    // Storage is blocked: the system's preference decides.
  }
  var dark =
    stored === 'dark' || (stored !== 'light' && matchMedia('(prefers-color-scheme: dark)').matches)
  document.documentElement.setAttribute('data-mantine-color-scheme', dark ? 'dark' : 'light')
  if (isSignedOut && location.pathname === '/') {
    document.documentElement.setAttribute('data-shell', 'sign-in')
  }
  // Megabits a second, where the browser tells.
  var line = navigator.connection
  if (!line || !(line.downlink < 2)) document.getElementById('font').setAttribute('rel', 'preload')
})()
