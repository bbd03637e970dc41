// Runs before the first paint: applies the theme, motion and direction of the last visit. The settings correct them.
;(function () {
  try {
    var root = document.documentElement
    var theme = localStorage.getItem('capstan.theme')
    if (theme === 'light' || theme === 'dark') root.dataset.theme = theme
    if (localStorage.getItem('capstan.motion') === 'less') root.dataset.motion = 'less'
    if (localStorage.getItem('capstan.language') === 'ar') root.dir = 'rtl'
  } catch {
    // Storage can be disabled in a browser.
  }
})()
