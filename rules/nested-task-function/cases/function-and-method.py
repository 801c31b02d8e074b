from flytekit import Resources, dynamic, task


def make_task():
    @task(requests=Resources(gpu="1"))
    def train(): ...

    return train


class Maker:
    def make(self):
        @dynamic(requests=Resources(gpu="2"))
        def plan(): ...

        return plan
