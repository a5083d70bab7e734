// Runs before the first paint, so that no page flashes in another theme or language.
;(function () {
  const root = document.documentElement
  try {
    const theme = localStorage.getItem('theme')
    if (theme === 'light' || theme === 'dark') root.dataset.theme = theme
    const lang = localStorage.getItem('lang')
    root.lang = lang === 'ko' || lang === 'en' ? lang : /^ko\b/.test(navigator.language) ? 'ko' : 'en'
  } catch {
    root.lang = 'en'
  }
  // Korean words are asked for beside the code that shows them.
  if (root.lang === 'ko') for (const words of document.querySelectorAll('link[data-ko]')) words.rel = 'modulepreload'
})()
