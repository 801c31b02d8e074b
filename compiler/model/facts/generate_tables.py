"""Turns the fact tables into C++: generate_tables.py OUTPUT_FOLDER. Standard library only."""
import json
import pathlib
import sys

import tables_accelerators
import tables_kubernetes
import tables_machines
import tables_mig
import tables_operators
import tables_providers
import tables_types

TABLES = {
    "accelerators": tables_accelerators.accelerators,
    "config-keys": tables_types.config_keys,
    "deprecations": tables_kubernetes.deprecations,
    "device-plugin": tables_operators.device_plugin,
    "dra": tables_operators.dra,
    "flyte-k8s-plugin-keys": tables_providers.flyte_keys,
    "flyte-types": tables_types.flyte_types,
    "instance-types": tables_machines.machines,
    "karpenter-labels": tables_kubernetes.karpenter,
    "kinds": tables_kubernetes.kinds,
    "kubernetes-api": tables_types.kubernetes_api,
    "mig-profiles": tables_mig.mig_gpus,
    "notebook-keys": tables_operators.notebook_keys,
    "operator-keys": tables_operators.operator_keys,
    "providers": tables_providers.providers,
    "ray-cluster": tables_types.ray_cluster,
    "resources": tables_kubernetes.resources,
}


def main():
    facts = pathlib.Path(__file__).resolve().parent
    output = pathlib.Path(sys.argv[1])
    output.mkdir(parents=True, exist_ok=True)
    for name, generate in TABLES.items():
        with open(facts / f"{name}.json", encoding="utf-8") as file:
            writer = generate(json.load(file))
        writer.write(output / (name.replace("-", "_") + ".inc"))


if __name__ == "__main__":
    main()
