// Before the first paint: the theme, the motion and the direction of last time. Settings put it right once they are read.
;(function () {
  try {
    var root = document.documentElement
    var theme = localStorage.getItem('capstan.theme')
    if (theme === 'light' || theme === 'dark') root.dataset.theme = theme
    if (localStorage.getItem('capstan.motion') === 'less') root.dataset.motion = 'less'
    if (localStorage.getItem('capstan.language') === 'ar') root.dir = 'rtl'
  } catch {
    // Storage can be switched off in a browser.
  }
})()
