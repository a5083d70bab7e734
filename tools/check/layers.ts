/** Layer of a project, from the Nx tag `layer:<name>` in its package.json. */
export type Layer = 'grammar' | 'rules' | 'declarations' | 'kit' | 'testing' | 'sdk' | 'web' | 'service' | 'tool'

/** Layers that a project of a layer may depend on at run time. Tests may also use the layers of `testDependencies`. */
export const dependencies: Record<Layer, readonly Layer[]> = {
  grammar: [],
  rules: [],
  declarations: ['grammar', 'rules'],
  kit: ['grammar', 'rules', 'declarations', 'kit'],
  testing: ['grammar', 'rules', 'declarations', 'kit'],
  // Published: it depends on no project of the workspace.
  sdk: [],
  // In the browser; the rules, the types of the API, and of the kit what has a subpath for it.
  web: ['grammar', 'rules', 'declarations', 'kit', 'sdk'],
  // Of the pages a service knows their paths alone.
  service: ['grammar', 'rules', 'declarations', 'kit', 'web'],
  tool: ['grammar', 'rules', 'declarations', 'kit', 'testing', 'sdk', 'web', 'service'],
}

export const testDependencies: Record<Layer, readonly Layer[]> = {
  grammar: [],
  rules: ['kit', 'testing'],
  declarations: [],
  kit: ['testing'],
  testing: [],
  sdk: ['testing', 'tool'],
  web: ['testing', 'tool'],
  service: ['testing'],
  tool: [],
}

/** Layers that a folder of the repository may contain, so that a wrong tag cannot bypass a rule. */
export const layersOfFolder: Record<string, readonly Layer[]> = {
  packages: ['grammar', 'rules', 'declarations', 'kit', 'testing', 'sdk', 'web'],
  services: ['service'],
  tools: ['tool'],
}

/** Returns the reason why `from` may not depend on `to`, or null if it may. */
export function refusal(from: Layer, to: Layer, inTest: boolean): string | null {
  if (dependencies[from].includes(to)) return null
  if (testDependencies[from].includes(to)) return inTest ? null : `only tests of layer:${from} may use layer:${to}`
  if (from === 'service' && to === 'service') return 'a service never imports another service: ask it over NATS'
  const allowed = dependencies[from].map((layer) => `layer:${layer}`).join(', ') || 'no project'
  return `layer:${from} may depend on ${allowed}, not on layer:${to}`
}
