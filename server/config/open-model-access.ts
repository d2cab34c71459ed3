/** Opens the model servers with the settings of single models from `models.yaml`. */
import { makeModelAccess, type ModelAccess, type ModelAccessOptions } from "@/server/models/access/model-access";
import { makeModelsFile, type ModelsFile } from "./models-file";

export interface ConfiguredModelAccess extends ModelAccess {
  /** `models.yaml`. */
  readonly modelsFile: ModelsFile;
}

export function openModelAccess(options: Omit<ModelAccessOptions, "saveModelSettings">): ConfiguredModelAccess {
  const { home, store, push, log } = options;
  const modelsFile = makeModelsFile({
    home,
    store: store.modelSettings,
    changed: () => access.modelSettingsChanged(),
    checked: (problems) => push({ type: "models_file", problems }),
    log,
  });
  const access = makeModelAccess({ ...options, saveModelSettings: modelsFile.write });
  return {
    ...access,
    modelsFile,
    async close() {
      modelsFile.close();
      await access.close();
      // A write in progress ends first: the store is closed next.
      await modelsFile.file();
    },
  };
}
