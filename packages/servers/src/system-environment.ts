const SYSTEM =
  /^(PATH|HOME|USER|LOGNAME|SHELL|TERM|TMPDIR|TZ|LANG|LANGUAGE|LC_\w+|LD_LIBRARY_PATH|DYLD_\w+|XDG_\w+|SSL_CERT_\w+|(https?|no|all)_proxy)$/i

/** Returns the part of the environment that foreign programs need, without settings and secrets of the product. */
export function systemEnvironment(): Record<string, string | undefined> {
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => SYSTEM.test(name)))
}
