import { mainOf, SERVICES } from '../dev/services.ts'

// What is loaded is compiled and kept in the folder NODE_COMPILE_CACHE when this process ends.
for (const service of SERVICES) await import(mainOf(service))
process.exit()
